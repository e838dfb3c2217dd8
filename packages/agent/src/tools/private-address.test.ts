import { describe, expect, it } from 'vitest';
import { isPrivateAddress } from './private-address.ts';

const inner = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  'no address',
  '',
];
const outer = [
  '8.8.8.8',
  '1.1.1.1',
  '172.32.0.1',
  '172.15.0.1',
  '100.128.0.1',
  '2606:4700::1111',
  '2a00:1450::1',
];

describe('isPrivateAddress', () => {
  it.each(inner)('holds %j back', (address) => expect(isPrivateAddress(address)).toBe(true));
  it.each(outer)('lets %s through', (address) => expect(isPrivateAddress(address)).toBe(false));
});
