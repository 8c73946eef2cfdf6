import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contrastOf, isAllowable, isAllowed } from './widget.rules.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('the contrast of two colours', () => {
  test.each([
    ['#000000', '#ffffff', 21],
    ['#777777', '#ffffff', 4.48],
    ['#1d4ed8', '#ffffff', 6.7],
    ['#ffffff', '#ffffff', 1],
  ])('is %s on %s: %d', (one, other, contrast) => {
    expect(contrastOf(one, other)).toBeCloseTo(contrast, 1);
  });

  test('is the same in both directions, and between 1 and 21', () => {
    fc.assert(
      fc.property(color, color, (one, other) => {
        const contrast = contrastOf(one, other);
        expect(contrast).toBe(contrastOf(other, one));
        expect(contrast).toBeGreaterThanOrEqual(1);
        expect(contrast).toBeLessThanOrEqual(21);
      }),
    );
  });
});

describe('an origin', () => {
  test.each([
    ['https://a.example', true],
    ['https://a.example:8443', true],
    ['https://*.a.example', true],
    ['http://localhost', true],
    ['http://localhost:3000', true],
    ['https://A.example', false],
    ['https://a.example:443', false],
    ['https://a.example/', false],
    ['https://user@a.example', false],
    ['https://*.*.example', false],
    ['https://a.*.example', false],
    ['https://*', false],
    ['*', false],
    ['null', false],
    ['http://*.localhost', false],
    ['http://a.example', false],
    ['ftp://a.example', false],
    ['https://a.example b.example', false],
    ['https://a.example;', false],
  ])('is accepted as an allowed origin: %s → %s', (origin, can) => {
    expect(isAllowable(origin)).toBe(can);
  });

  test.each([
    ['https://a.example', ['https://a.example'], true],
    ['https://a.example:8443', ['https://a.example'], false],
    ['http://a.example', ['https://a.example'], false],
    ['https://x.a.example', ['https://*.a.example'], true],
    ['https://x.y.a.example', ['https://*.a.example'], true],
    ['https://a.example', ['https://*.a.example'], false],
    ['https://evila.example', ['https://*.a.example'], false],
    ['https://x.a.example:1', ['https://*.a.example'], false],
    ['https://x.a.example:1', ['https://*.a.example:1'], true],
    ['https://evil.example/.a.example', ['https://*.a.example'], false],
    ['', ['https://a.example'], false],
    ['null', ['https://a.example'], false],
    ['https://a.example', [], false],
  ])('matches the list: %s in %j is %s', (origin, allowed, is) => {
    expect(isAllowed(origin, allowed)).toBe(is);
  });
});
