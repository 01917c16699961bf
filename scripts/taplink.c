// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// taplink NAMESPACE_A INTERFACE_A NAMESPACE_B INTERFACE_B DELAY_US
//
// A wire between two TAP devices of different network namespaces that delays every frame by a fixed time, for kernels
// without netem. Frames carry virtio-net headers and segmentation offload, which pass through verbatim.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { queue_frames = 4096, frame_bytes = 66 * 1024, frames_per_turn = 64 };

// The frames that travel in one direction; a ring, oldest at `head`.
struct Queue {
  uint64_t due[queue_frames];
  int length[queue_frames];
  char* data[queue_frames];
  unsigned head, tail;
};
static struct Queue queues[2];

static unsigned travelling(const struct Queue* queue) { return queue->tail - queue->head; }

static int open_tap(const char* namespace, const char* interface) {
  char path[256];
  snprintf(path, sizeof path, "/run/netns/%s", namespace);
  int handle = open(path, O_RDONLY);
  if (handle < 0 || setns(handle, CLONE_NEWNET)) {
    perror(path);
    exit(1);
  }
  close(handle);
  struct ifreq request;
  memset(&request, 0, sizeof request);
  request.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR;
  strncpy(request.ifr_name, interface, IFNAMSIZ - 1);
  int tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
  if (tap < 0 || ioctl(tap, TUNSETIFF, &request)) {
    perror("/dev/net/tun");
    exit(1);
  }
  unsigned offload = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6;
  if (ioctl(tap, TUNSETOFFLOAD, offload)) perror("TUNSETOFFLOAD");
  int send_buffer = 4 << 20;
  ioctl(tap, TUNSETSNDBUF, &send_buffer);
  return tap;
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

static uint64_t next_due(void) {
  uint64_t next = 0;
  for (int side = 0; side < 2; side++) {
    if (!travelling(&queues[side])) continue;
    uint64_t due = queues[side].due[queues[side].head % queue_frames];
    if (!next || due < next) next = due;
  }
  return next;
}

static void receive(int tap, struct Queue* queue, uint64_t delay) {
  for (int i = 0; i < frames_per_turn && travelling(queue) < queue_frames; i++) {
    unsigned slot = queue->tail % queue_frames;
    if (!queue->data[slot]) queue->data[slot] = malloc(frame_bytes);
    ssize_t length = read(tap, queue->data[slot], frame_bytes);
    if (length <= 0) return;
    queue->length[slot] = (int)length;
    queue->due[slot] = now() + delay;
    queue->tail++;
  }
}

static void deliver(int tap, struct Queue* queue, uint64_t time) {
  while (travelling(queue)) {
    unsigned slot = queue->head % queue_frames;
    if (queue->due[slot] > time) return;
    // Any error but a full interface loses the frame, as a wire does.
    if (write(tap, queue->data[slot], (size_t)queue->length[slot]) < 0 && errno == EAGAIN) return;
    queue->head++;
  }
}

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  prctl(PR_SET_TIMERSLACK, 1000);
  int taps[2] = {open_tap(argv[1], argv[2]), open_tap(argv[3], argv[4])};
  uint64_t delay = strtoull(argv[5], NULL, 10) * 1000;
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  for (;;) {
    struct pollfd events[3] = {{taps[0], POLLIN, 0}, {taps[1], POLLIN, 0}, {timer, POLLIN, 0}};
    for (int side = 0; side < 2; side++) {
      if (travelling(&queues[side]) >= queue_frames) events[side].events = 0;
    }
    uint64_t due = next_due();
    if (due) {
      struct itimerspec alarm = {{0, 0}, {(time_t)(due / 1000000000U), (long)(due % 1000000000U)}};
      timerfd_settime(timer, TFD_TIMER_ABSTIME, &alarm, NULL);
    }
    if (!due || due > now()) {
      poll(events, 3, -1);
    } else {
      poll(events, 2, 0);
    }
    uint64_t expirations;
    if ((events[2].revents & POLLIN) && read(timer, &expirations, sizeof expirations) < 0 && errno != EAGAIN) return 1;
    for (int side = 0; side < 2; side++) {
      if (events[side].revents & POLLIN) receive(taps[side], &queues[side], delay);
    }
    uint64_t time = now();
    for (int side = 0; side < 2; side++) deliver(taps[1 - side], &queues[side], time);
  }
}
