// Which internet addresses lead to this machine or its network instead of the public internet.
import { BlockList, isIP } from 'node:net';

/** @param address an IPv4 or IPv6 address; anything else counts as private, since nothing is known about it */
export function isPrivateAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '');
  const version = isIP(plain);
  if (version === 0) return true;
  if (version === 4) {
    blocked4 ??= createBlockList(ranges4, 'ipv4');
    return blocked4.check(plain, 'ipv4');
  }
  blocked6 ??= createBlockList(ranges6, 'ipv6');
  return blocked6.check(plain, 'ipv6');
}

/** Loopback, private, link-local, shared, reserved, multicast, documentation. */
const ranges4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** The same kinds, and every range that carries an IPv4 address inside (mapped, translated, 6to4, Teredo). */
const ranges6 = [
  '::/96',
  '::ffff:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

/** Two lists: in a common one the range of mapped addresses would catch every IPv4 address. */
let blocked4: BlockList | undefined;
let blocked6: BlockList | undefined;

function createBlockList(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
