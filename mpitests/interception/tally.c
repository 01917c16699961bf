/* Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0 */
#include "tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { max_functions = 256, max_name = 64 };

static char names[max_functions][max_name];
static int calls[max_functions];
static int functions = 0;
static int wrong = 0;

void tally_add(const char* function) {
  int i = 0;
  while (i < functions && strcmp(names[i], function) != 0) ++i;
  if (i == functions) {
    if (functions == max_functions || strlen(function) >= max_name) abort();
    strcpy(names[functions++], function);
  }
  ++calls[i];
}

int tally_calls(const char* function) {
  for (int i = 0; i < functions; ++i)
    if (strcmp(names[i], function) == 0) return calls[i];
  return 0;
}

void tally_expect(int right, const char* what) {
  if (right) return;
  ++wrong;
  fprintf(stderr, "wrong: %s\n", what);
}

int tally_write(const char* path, int rank) {
  if (rank != 0) return wrong;
  FILE* file = fopen(path, "w");
  if (file == NULL) {
    perror(path);
    return wrong + 1;
  }
  fputs("{", file);
  for (int i = 0; i < functions; ++i) fprintf(file, "%s\n  \"%s\": %d", i == 0 ? "" : ",", names[i], calls[i]);
  fputs("\n}\n", file);
  return fclose(file) == 0 ? wrong : wrong + 1;
}
