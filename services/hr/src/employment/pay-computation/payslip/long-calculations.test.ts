import { describe, expect, test } from '@jest/globals';
import { component, input, june, monthly } from '../../../../test/pay-input.ts';
import { addsUp } from '../formula/calculation.ts';
import { calculatePayslip } from './payslip.ts';

describe('values of many parts', () => {
  test('are calculated with arrears for any number of payslips', () => {
    const one_offs = Array.from({ length: 260 }, (_, at) => ({ id: String(at), code: 'basic', amount: '-12.34' }));
    const slip = calculatePayslip(input({ carried: { one_offs } }));
    expect(slip).toMatchObject({ gross: '0.00', net: '0.00', left_over: [{ code: null, amount: '208.40' }] });
    expect(slip.explain.every(addsUp)).toBe(true);
  });

  test('are calculated for a formula of maximum length', () => {
    const formula = Array.from({ length: 100 }, () => 'hours').join('+');
    const terms = [{ ...monthly('12.00', ['long']), basis: 'hourly' as const }];
    const days = june({ '2026-06-01': { worked_minutes: 443 } });
    const long = component({ code: 'long', kind: 'earning', calc: 'formula', formula });
    const slip = calculatePayslip(input({ facts: { components: [long], terms, days } }));
    expect([slip.earnings[1], slip.explain.every(addsUp)]).toMatchObject([{ code: 'long', amount: '738.33' }, true]);
  });

  test('have all decimals that result', () => {
    const part = component({ code: 'part', kind: 'earning', calc: 'percent_of_basic', percent: '33.333333' });
    const tax = component({
      code: 'tax',
      kind: 'deduction',
      calc: 'slab',
      annual: true,
      slabs: [{ from: '0', rate: '7.654321' }],
    });
    const slip = calculatePayslip(
      input({ facts: { currency: 'KWD', components: [part, tax], terms: [monthly('1234.567', ['part', 'tax'])] } }),
    );
    expect(slip).toMatchObject({ gross: '1646.089', tax: '125.997' });
    expect(slip.explain.every(addsUp)).toBe(true);
  });
});
