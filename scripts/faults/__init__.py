# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""What scripts/fault-table does to jobs, and what becomes of them."""
