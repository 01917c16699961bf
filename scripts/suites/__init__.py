# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""The test suites of others: how scripts/others-suites gets, compiles and runs them."""
