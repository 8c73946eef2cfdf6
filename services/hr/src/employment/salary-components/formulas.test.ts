import { describe, expect, test } from '@jest/globals';
import { formula, openComponents } from '../../../test/components.ts';

const { acme, create, made: created, update } = await openComponents();

describe('a formula', () => {
  test('can use components that are calculated before it', async () => {
    await created({ code: 'housing', position: 1 });
    expect(await create(formula('bonus', 'basic + housing * 2', { position: 2 }))).toMatchObject({ status: 201 });
  });

  test.each([
    ['basic * magic', 8, 'Unknown name: magic.'],
    ['gross * 2', 0, 'gross is known only after bonus was computed.'],
    ['1 + later', 4, 'later is computed after bonus.'],
    ['bonus + 1', 0, 'bonus and bonus go round in a circle.'],
    ['basic *', 7, 'Expected expression after *.'],
    [Array.from({ length: 101 }, () => '1').join('+'), 200, 'A formula has at most 200 parts.'],
  ])('is rejected with the position of its error (%#)', async (text, position, message) => {
    await created({ code: 'later', position: 9 });
    expect(await create(formula('bonus', text, { position: 5 }))).toMatchObject({
      status: 422,
      body: {
        code: 'formula_invalid',
        errors: { formula: [message] },
        details: { position, message, component: 'bonus' },
      },
    });
    expect(await create(formula('bonus', 'basic', { position: 5 }))).toMatchObject({ status: 201 });
  });

  test('rejects circular references, also through bases', async () => {
    const { id } = await created({ code: 'one', position: 1 });
    await created({
      code: 'two',
      calc: 'percent_of_basic',
      amount: undefined,
      percent: '5',
      base: ['one'],
      position: 2,
    });
    const circle = { calc: 'percent_of_basic', percent: '5', base: ['basic', 'two'] };
    expect(await update(id, circle)).toMatchObject({
      status: 422,
      body: { code: 'formula_invalid', errors: { 'base.1': ['one and two go round in a circle.'] } },
    });
    expect(await update(id, { position: 3 })).toMatchObject({
      status: 422,
      body: { errors: { position: ['one is computed after two.'] }, details: { component: 'two' } },
    });
  });

  test('can be evaluated with an example', async () => {
    await created({ code: 'housing' });
    const checkFormula = (body: object) => acme.owner.post('/api/salary-component/check', body);
    expect(
      await checkFormula({ formula: 'min((basic + housing) * 0.005, 15)', example: { basic: '2345.67' } }),
    ).toMatchObject({
      status: 200,
      body: {
        data: {
          value: '11.73',
          inputs: { basic: '2345.67', housing: '0' },
          steps: [{ text: 'min((2345.67 + 0) * 0.005, 15)', value: '11.72835' }, { value: '11.73' }],
        },
      },
    });
    expect(await checkFormula({ formula: 'basic / 0' })).toMatchObject({
      status: 422,
      body: { code: 'formula_failed' },
    });
    expect(await checkFormula({ formula: 'salary' })).toMatchObject({
      status: 422,
      body: { code: 'formula_invalid', details: { position: 0 } },
    });
    const outsider = await checkFormula({ formula: 'basic', example: { salary: '1' } });
    expect([outsider.status, Object.keys(outsider.body.errors)]).toEqual([422, ['example.salary']]);
    expect(await checkFormula({ formula: 'basic', example: { basic: '1e5' } })).toMatchObject({ status: 422 });
    expect((await acme.owner.get('/api/salary-components')).body.data).toHaveLength(1);
  });
});
