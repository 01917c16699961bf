# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# What a plugin is made of on every platform, and on emulated GPUs.
set(folder ${PROJECT_SOURCE_DIR}/gpu)
set(airamp_gpu_codec_kernels ${folder}/runtime/kernels/codec.cu)
set(airamp_gpu_kernels
  float_sum.cu ghost.cu integer_sum.cu lossless_reduce.cu movement.cu mx_reduce.cu mx_sum.cu one_shot.cu prefix.cu vectors.cu)
list(TRANSFORM airamp_gpu_kernels PREPEND ${folder}/runtime/kernels/)
set(airamp_gpu_launches codec.cpp launch.cpp movement.cpp one_shot.cpp prefix.cpp reduction.cpp ring.cpp)
list(TRANSFORM airamp_gpu_launches PREPEND ${folder}/runtime/launch/)
set(airamp_gpu_runtime
  peer/geometry.cpp
  peer/layout.cpp
  runtime/backend.cpp
  runtime/call_off.cpp
  runtime/ccl.cpp
  runtime/ccl_library.cpp
  runtime/device.cpp
  runtime/error_text.cpp
  runtime/queue.cpp)
list(TRANSFORM airamp_gpu_runtime PREPEND ${folder}/)
list(APPEND airamp_gpu_runtime ${airamp_gpu_launches})
unset(folder)
