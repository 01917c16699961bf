# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""The codes of scripts/measure-applications, and how it packs and measures them."""
