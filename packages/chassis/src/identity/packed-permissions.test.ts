import { describe, expect, test } from '@jest/globals';
import { packPermissions, unpackPermissions } from './packed-permissions.ts';

const FEW = ['a.view', 'a.edit', 'b.view', 'b.edit', 'view.a', '__proto__.constructor'];
/** All lists of up to four permissions, in every order, with repetitions. */
const lists = [1, 2, 3, 4].flatMap((length) =>
  Array.from({ length: FEW.length ** length }, (_, n) =>
    Array.from({ length }, (__, at) => FEW[Math.floor(n / FEW.length ** at) % FEW.length]!),
  ),
);

describe('folded permissions', () => {
  test('contain each set of verbs once', () => {
    const permissions = ['lead.view', 'lead.create', 'deal.view', 'deal.create', 'ledger.lock'];
    expect(packPermissions(permissions)).toBe('view,create;lock|lead.0 deal.0 ledger.1');
    expect(unpackPermissions('view,create;lock|lead.0 deal.0 ledger.1')).toEqual(permissions);
  });

  test('expand to the same permissions in the same order, for any list', () => {
    for (const permissions of lists) expect(unpackPermissions(packPermissions(permissions)!)).toEqual(permissions);
  });

  test.each([
    [[]],
    [['*']],
    [['lead.']],
    [['lead.view', 'a b.view']],
    [['lead.view.own']],
    [['lead.view,create']],
    [['a|b.view']],
  ])('are not created from %j, which would unfold differently', (permissions) => {
    expect(packPermissions(permissions)).toBeUndefined();
  });

  test.each([
    '',
    '|',
    'view|',
    '|lead.0',
    'view|lead',
    'view|lead.1',
    'view|lead.-1',
    'view|lead.0.0',
    'view|lead.length',
    'view|lead.0|deal.0',
    'view;|lead.1',
    ',view|lead.0',
    'view|lead.0 ',
    'view|lead.0\ndeal.0',
    'view|lead.99999999999999999999',
  ])('are rejected if they are %j', (folded) => {
    expect(() => unpackPermissions(folded)).toThrow();
  });

  test('cannot be changed by the code that receives them', () => {
    const permissions = unpackPermissions('view|lead.0') as string[];
    expect(() => permissions.push('lead.delete')).toThrow(TypeError);
    expect(unpackPermissions('view|lead.0')).toEqual(['lead.view']);
  });
});
