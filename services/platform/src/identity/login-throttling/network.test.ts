import { expect, test } from '@jest/globals';
import { networkOf } from './network.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:0db8:0001:0002'],
  ['2001:DB8:1:2::9', '2001:0db8:0001:0002'],
  ['2001:db8::', '2001:0db8:0000:0000'],
  ['::1', '0000:0000:0000:0000'],
  ['fe80::1%eth0', 'fe80:0000:0000:0000'],
  ['', ''],
])('maps %s to the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
