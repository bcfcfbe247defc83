"""Joins two network namespaces by a link with a delay and a bandwidth: tunnel.py NAME=ADDRESS NAME=ADDRESS RTT_MS KBIT_S

Linux's own netem is a module that not every kernel has; a TUN device is in all. Prints "up" once packets pass.
"""
import ctypes, fcntl, heapq, os, select, struct, subprocess, sys, time

TUNSETIFF = 0x400454CA
IFF_TUN_WITHOUT_HEADER = 0x1001
LONGEST_PACKET = 65536
# Routers of phones keep more than they should; more than this is lost.
QUEUE_SECONDS = 1.0


def device_in(namespace, address):
    """A TUN device inside a namespace: this thread enters it only for as long as it opens the device."""
    libc = ctypes.CDLL(None, use_errno=True)
    own = os.open('/proc/self/ns/net', os.O_RDONLY)
    other = os.open(f'/var/run/netns/{namespace}', os.O_RDONLY)
    for file in (other, own):
        if libc.setns(file, 0) != 0:
            raise OSError(ctypes.get_errno(), f'namespace {namespace}')
        if file is other:
            device = os.open('/dev/net/tun', os.O_RDWR | os.O_NONBLOCK)
            fcntl.ioctl(device, TUNSETIFF, struct.pack('16sH', b'phone0', IFF_TUN_WITHOUT_HEADER))
            for command in (f'address add {address}/24 dev phone0', 'link set phone0 up', 'link set lo up'):
                subprocess.run(['ip', *command.split()], check=True)
    return device


def main(first, second, round_trip, kilobits):
    ends = [device_in(*end.split('=')) for end in (first, second)]
    other = dict(zip(ends, reversed(ends)))
    delay = float(round_trip) / 2000
    rate = float(kilobits) * 125
    free_at = dict.fromkeys(ends, 0.0)
    waiting = []
    count = 0
    print('up', flush=True)
    while True:
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, _, end, packet = heapq.heappop(waiting)
            os.write(end, packet)
        timeout = max(0.0, waiting[0][0] - now) if waiting else None
        for end in select.select(ends, [], [], timeout)[0]:
            packet = os.read(end, LONGEST_PACKET)
            now = time.monotonic()
            if free_at[end] - now > QUEUE_SECONDS:
                continue
            free_at[end] = max(now, free_at[end]) + (len(packet) / rate if rate else 0)
            count += 1
            heapq.heappush(waiting, (free_at[end] + delay, count, other[end], packet))


main(*sys.argv[1:])
