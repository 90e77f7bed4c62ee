"""A Ray cluster of the tests' own: two nodes of one core each, on this machine."""

import os
import secrets
from contextlib import contextmanager

import psutil

_NODE = {
    "num_cpus": 1,
    "node_ip_address": "127.0.0.1",
    "object_store_memory": 80 << 20,
    "include_log_monitor": False,
}
_STARTS = 4
"""Ray gives a node thirty seconds to start, which a busy machine may exceed."""


@contextmanager
def running():
    """A `ray.cluster_utils.Cluster`; its processes end with it."""
    os.environ |= {
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": secrets.token_hex(32),
        "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # as there, nothing listens but on the loopback
        "RAY_memory_monitor_refresh_ms": "0",
    }
    from ray.cluster_utils import Cluster

    cluster = Cluster()
    try:
        for head in (True, False):
            _add(cluster, **({"no_monitor": True, "include_dashboard": False} if head else {}))
        yield cluster
    finally:
        cluster.shutdown()
        for process in psutil.Process().children(recursive=True):
            if "/ray/" in " ".join(process.cmdline()):
                process.kill()


def _add(cluster, **options):
    for start in range(_STARTS):
        try:
            cluster.add_node(**_NODE, **options)
        except Exception:
            if start == _STARTS - 1:
                raise
        else:
            return


def workers():
    return [
        process
        for process in psutil.Process().children(recursive=True)
        if process.name().startswith("ray::") and "_Worker" in " ".join([process.name(), *process.cmdline()])
    ]
