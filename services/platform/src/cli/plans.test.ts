import { describe, expect, test } from '@jest/globals';
import type { Database } from '@suite/chassis/database';
import { start, runConcurrently } from '@suite/testing';
import { openWorkspace, rpcOf } from '../../test/workspace.ts';
import { withoutCaller, type Db } from '../operations.ts';
import { platform as contents } from '../platform.ts';
import { assignPlan } from '../entitlements/plans/plan.ts';
import { refreshEntitlements } from '../entitlements/entitlements/entitlement.ts';
import { clock } from '@suite/chassis/runtime';
import { plansCommand } from './plans.ts';

const platform = await start({ ...contents, schedules: [] });
const database = platform.database as Database<Db>;
const run = (...words: string[]) => plansCommand(words, { database });
const gold = ['--code', 'gold', '--name', 'Gold', '--description', 'All that glitters.', '--modules', 'crm,sales'];
const monthly = ['--currency', 'EUR', '--interval', 'month'];

describe('an operator', () => {
  test('adds a plan with its limits, and prints it', async () => {
    const limits = [
      '--users',
      '5',
      '--customers',
      '100',
      '--storage-mb',
      '2048',
      '--api-rpm',
      '120',
      '--trial-days',
      '14',
    ];
    expect(await run('add', ...gold, ...limits, '--recommended', 'yes')).toContain('gold is offered now');
    expect(await run('list')).toMatch(/^gold +offered, recommended +Gold: no price$/m);
    const page = await run('show', '--code', 'gold');
    for (const line of [
      'users          5',
      'storage        2048 MiB',
      'requests       120 a minute',
      'prices         none',
    ])
      expect(page).toContain(line);
    await expect(run('add', ...gold)).rejects.toThrow('A plan with this code already exists. Choose another code.');
  });

  test('replaces a price instead of changing it', async () => {
    expect(await run('price', '--code', 'business', ...monthly, '--amount', '49.00')).toBe(
      'The plan business costs 49.00 EUR a month now.',
    );
    const current = () =>
      platform.sql`SELECT id, amount FROM prices WHERE plan_code = 'business' AND replaced_at IS NULL`;
    const [before] = await current();
    const renewed = await run('price', '--code', 'business', ...monthly, '--amount', '59.00', '--wholesale', '35.00');
    expect(renewed).toContain('Subscriptions keep the price that they have.');
    const [after] = await current();
    expect(after!.id).not.toBe(before!.id);
    const [storedPrice] = await platform.sql`SELECT amount FROM prices WHERE id = ${before!.id}`;
    expect(Number(storedPrice!.amount)).toBe(49);
    await expect(
      database.writeEverywhere(withoutCaller('test'), (all) => all.price.updateMany({ data: { amount: '1.00' } })),
    ).rejects.toThrow();
    expect(await run('show', '--code', 'business')).toContain('59.00 EUR a month (wholesale 35.00)');
    expect(await run('price', '--code', 'business', ...monthly, '--none')).toContain('no longer has a price in EUR');
    expect(await current()).toEqual([]);
  });

  test('sets prices concurrently with another operator, and one price remains', async () => {
    await runConcurrently(10, (at) => run('price', '--code', 'starter', ...monthly, '--amount', `${at + 1}.00`));
    const left = await platform.sql`SELECT FROM prices WHERE plan_code = 'starter' AND replaced_at IS NULL`;
    expect(left).toHaveLength(1);
  });

  test('retires a plan in use and cannot delete it', async () => {
    const silver = ['--code', 'silver', '--name', 'Silver', '--description', 'Second.', '--modules', 'crm'];
    await run('add', ...silver);
    const acme = await openWorkspace(platform, 'silver');
    const { caller } = await acme.as('owner');
    await run('retire', '--code', 'silver');
    const credential = { $case: 'session_id', value: caller.session_id! } as const;
    expect((await rpcOf(platform).introspect({ credential, address: '' })).modules).toEqual(['crm']);
    await expect(run('remove', '--code', 'silver')).rejects.toThrow(
      'Retire it to stop new workspaces from choosing it. (workspaces: 1',
    );
    const change = () =>
      database.write(withoutCaller('test', acme.id), (db, emit) => assignPlan(db, emit, acme.id, { code: 'silver' }));
    await expect(change()).rejects.toMatchObject({ code: 'unknown_plan' });
  });

  test('deletes a plan that was never used', async () => {
    await run('add', '--code', 'mistake', '--name', 'M', '--description', 'Wrong.', '--modules', 'crm');
    expect(await run('remove', '--code', 'mistake')).toBe('The plan mistake is deleted.');
    await expect(run('show', '--code', 'mistake')).rejects.toThrow('Plan not found. Check the code.');
  });

  test('sets the fallback plan, with immediate effect', async () => {
    const acme = await openWorkspace(platform, 'starter');
    const { caller } = await acme.as('owner');
    await database.write(withoutCaller('test', acme.id), async (db, emit) => {
      await db.subscription.create({
        data: { plan_code: 'business', provider_mode: 'test', status: 'unpaid', workspace_id: acme.id },
      });
      await refreshEntitlements({ db, emit }, acme.id, clock.now());
    });
    const credential = { $case: 'session_id', value: caller.session_id! } as const;
    const modules = async () => (await rpcOf(platform).introspect({ credential, address: '' })).modules;
    expect(await modules()).toEqual([]);
    expect(await run('settings', '--fallback', 'starter', '--grace-days', '3')).toBe(
      'Plan after the end of a plan: starter. Grace period for a late payment: 3 days. E-mail recipients an hour in a workspace whose plan has no limit: 1000.',
    );
    expect(await modules()).toEqual(['crm', 'products']);
    await expect(run('retire', '--code', 'starter')).rejects.toThrow('This is the fallback plan.');
    await run('settings', '--fallback', 'none', '--grace-days', '7');
    expect(await modules()).toEqual([]);
  });
});

test.each([
  ['nothing', [], 'Enter a command. See npm run plans -- --help.'],
  ['an unknown command', ['sell'], 'Unknown command "sell". See npm run plans -- --help.'],
  ['an unknown plan', ['show', '--code', 'moon'], 'Plan not found. Check the code.'],
  ['an unknown module', ['add', ...gold.slice(0, 6), '--modules', 'moon'], '--modules: Name modules of crm,'],
  ['no amount', ['price', '--code', 'business', ...monthly], '--amount: Enter an amount or --none.'],
  [
    'a wholesale price above the price',
    ['price', '--code', 'business', ...monthly, '--amount', '1.00', '--wholesale', '2.00'],
    '--wholesale: This must not exceed the price.',
  ],
  [
    'a part of a cent',
    ['price', '--code', 'business', ...monthly, '--amount', '49.005'],
    '--amount: The payment provider does not accept this amount in EUR. Enter another amount.',
  ],
  ['an unknown currency', ['price', '--code', 'business', '--currency', 'XXY', '--interval', 'month'], '--currency: '],
  ['a feature without a key', ['add', ...gold, '--feature', 'Fast'], '--feature: Enter a feature as key=text.'],
  ['a limit of nothing', ['add', ...gold, '--users', '0'], '--users: Enter a number of at least 1.'],
  ['an unknown fallback', ['settings', '--fallback', 'moon'], 'Plan not found. Check the code.'],
])('%s is rejected with one sentence', async (_, words, sentence) => {
  await expect(run(...words)).rejects.toThrow(sentence);
});
