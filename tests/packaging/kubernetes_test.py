# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""The examples for Kubernetes follow its schemas, and name what is there: kubernetes_test.py PACKAGING

Needs kubernetes-validate of PyPI."""

import pathlib
import re
import sys
import unittest

PACKAGING = pathlib.Path(sys.argv.pop(1))

try:
    import kubernetes_validate
    import yaml
except ImportError:
    print("skipped: no kubernetes-validate")
    sys.exit(77)

# Of the first version that has init containers which go on, and of the newest that is known.
VERSIONS = ("1.29", kubernetes_validate.latest_version())


def documents(name):
    return list(yaml.safe_load_all((PACKAGING / "kubernetes" / name).read_text()))


class Examples(unittest.TestCase):
    def test_schemas(self):
        (job,), (secret, _) = documents("airampd-sidecar.yaml"), documents("pod-monitor.yaml")
        for version in VERSIONS:
            for document in (job, secret):
                kubernetes_validate.validate(document, version, strict=True)

    def test_airampd_is_where_it_is_looked_for(self):
        (job,), (secret, monitor) = documents("airampd-sidecar.yaml"), documents("pod-monitor.yaml")
        pod = job["spec"]["template"]
        (airampd,) = pod["spec"]["initContainers"]
        (port,), (endpoint,) = airampd["ports"], monitor["spec"]["podMetricsEndpoints"]
        settings = (PACKAGING.parent / "config/settings.hpp").read_text()
        self.assertEqual(port["containerPort"], int(re.search(r"metrics_port = (\d+);", settings)[1]))
        self.assertEqual(endpoint["port"], port["name"])
        self.assertEqual(monitor["spec"]["selector"]["matchLabels"], pod["metadata"]["labels"])
        token = endpoint["authorization"]["credentials"]
        self.assertEqual(token["name"], secret["metadata"]["name"])
        self.assertIn(token["key"], secret["stringData"])
        volumes = {volume["name"]: volume for volume in pod["spec"]["volumes"]}
        self.assertEqual(volumes["token"]["secret"]["secretName"], secret["metadata"]["name"])

    def test_airampd_sees_what_it_needs_of_the_ranks(self):
        (job,) = documents("airampd-sidecar.yaml")
        spec = job["spec"]["template"]["spec"]
        self.assertTrue(spec["shareProcessNamespace"])
        for container in (*spec["initContainers"], *spec["containers"]):
            self.assertIn({"name": "shm", "mountPath": "/dev/shm"}, container["volumeMounts"])
            self.assertNotIn("runAsUser", container.get("securityContext", {}))


if __name__ == "__main__":
    unittest.main()
