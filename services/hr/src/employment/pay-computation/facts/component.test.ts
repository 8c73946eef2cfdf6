import { describe, expect, test } from '@jest/globals';
import { component, workedComponents } from '../../../../test/pay-input.ts';
import { type PayComponent, faultsIn } from './component.ts';

const formula = (code: string, text: string, given: Partial<PayComponent> = {}) =>
  component({ code, kind: 'earning', calc: 'formula', formula: text, ...given });

describe('a component', () => {
  test('is valid in the example payslip, in any order', () => {
    expect(faultsIn(workedComponents)).toEqual([]);
    expect(faultsIn(workedComponents.toReversed())).toEqual([]);
  });

  test.each([
    ['an unknown name', [formula('bonus', 'basic * magic')], 8, 'Unknown name: magic.'],
    ['gross in an earning', [formula('bonus', 'gross')], 0, 'gross is known only after bonus was computed.'],
    [
      'the taxable amount before the tax',
      [formula('fund', 'taxable', { kind: 'deduction', pre_tax: true })],
      0,
      'taxable is known only after fund was computed.',
    ],
    [
      'a later position',
      [formula('first', '1 + second', { position: 1 }), formula('second', '2', { position: 2 })],
      4,
      'second is computed after first.',
    ],
    [
      'a later phase',
      [formula('first', 'fee'), formula('fee', '2', { kind: 'deduction' })],
      0,
      'fee is computed after first.',
    ],
    ['itself', [formula('first', 'first + 1')], 0, 'first and first go round in a circle.'],
    ['an incomplete expression', [formula('first', '1 +')], 3, 'Expected expression after +.'],
  ])('cannot refer to %s', (_, components, position, message) => {
    expect(faultsIn(components)).toEqual([{ code: components[0]!.code, field: 'formula', position, message }]);
  });

  test('cannot be part of a cycle of any length', () => {
    const circle = [
      formula('first', 'third', { position: 1 }),
      formula('second', 'first', { position: 2 }),
      formula('third', 'second', { position: 3 }),
    ];
    expect(faultsIn(circle)).toEqual([
      { code: 'first', field: 'formula', position: 0, message: 'first and third go round in a circle.' },
    ]);
  });

  test('cannot have an unknown name in its base', () => {
    const fund = component({ code: 'fund', kind: 'employer', calc: 'percent_of_basic', base: ['basic', 'car'] });
    expect(faultsIn([fund])).toEqual([{ code: 'fund', field: 'base', position: 1, message: 'Unknown name: car.' }]);
  });
});
