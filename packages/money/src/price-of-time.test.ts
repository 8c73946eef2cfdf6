import { describe, expect, test } from '@jest/globals';
import { hoursOf, priceOfTime } from './money.ts';

describe('worked time', () => {
  test.each<[number, string, string, string]>([
    [3_600, '80', 'EUR', '80.00'],
    [2_700, '80.50', 'EUR', '60.38'],
    [1, '100', 'EUR', '0.03'],
    [0, '100', 'EUR', '0.00'],
    [18, '1', 'EUR', '0.01'],
    [17, '1', 'EUR', '0.00'],
    [1_800, '1', 'JPY', '1'],
    [1_799, '1', 'JPY', '0'],
    [3_600, '0.0005', 'KWD', '0.001'],
    [86_400, '999999999.9999', 'EUR', '24000000000.00'],
  ])('has a price: %i seconds at %s %s cost %s', (seconds, rate, currency, price) => {
    expect(priceOfTime(seconds, rate, currency)).toBe(price);
  });

  test.each([
    [3_600, '1'],
    [1, '0.000278'],
    [1_200, '0.333333'],
    [2_400, '0.666667'],
    [0, '0'],
  ])('is converted to hours: %i seconds are %s', (seconds, hours) => expect(hoursOf(seconds)).toBe(hours));

  test.each([-1, 0.5, Number.NaN])('is not counted in %p seconds', (seconds) => {
    expect(() => hoursOf(seconds)).toThrow(expect.objectContaining({ field: 'seconds' }));
    expect(() => priceOfTime(seconds, '1', 'EUR')).toThrow();
  });

  test('must not have a negative rate', () => {
    expect(() => priceOfTime(1, '-1', 'EUR')).toThrow(expect.objectContaining({ field: 'rate' }));
  });
});
