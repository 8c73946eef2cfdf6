import { describe, expect, test } from '@jest/globals';
import { start, sortedStatuses, freezeClock, runConcurrently } from '@suite/testing';
import { platform as contents } from '../../platform.ts';
import { contentsOf } from '../../../test/contents.ts';
import { openInstance, operate, programWith, tokenIn } from '../../../test/white-label.ts';
import { openWorkspace } from '../../../test/workspace.ts';
import { isInDomain } from './address.ts';
import { isInstanceToken, newInstanceToken } from './instance.rules.ts';

const platform = await start(contents);
const working = async (token: string): Promise<boolean> =>
  await programWith(platform, token).then(
    () => true,
    () => false,
  );

describe('a white-label instance', () => {
  test('is created by an operator, with a token that is shown once and never stored', async () => {
    const { token, program, id, webhook_secret } = await openInstance(platform);
    expect(isInstanceToken(token)).toBe(true);
    expect(program.caller).toMatchObject({ user_id: id, workspace_id: id, instance: { id, mode: 'test' } });
    const stored = await contentsOf(platform);
    expect(stored).toContain(token.slice(0, 12));
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(webhook_secret);
  });

  test('has a unique name and a domain', async () => {
    const { name } = await openInstance(platform);
    await expect(operate(platform, 'create', name, '--domain', 'a.example')).rejects.toThrow('already');
    await expect(operate(platform, 'create', 'Other', '--domain', 'nowhere')).rejects.toThrow('--domain');
    await expect(operate(platform, 'create', 'Other')).rejects.toThrow('--domain: This option is required.');
    await expect(operate(platform, 'suspend', 'Nobody')).rejects.toThrow('White-label instance "Nobody" not found.');
    await expect(operate(platform, 'sell', name)).rejects.toThrow('Unknown command "sell".');
  });

  test('is rejected while it is suspended', async () => {
    const { name, token } = await openInstance(platform);
    await operate(platform, 'suspend', name);
    await expect(programWith(platform, token)).rejects.toMatchObject({ status: 403, code: 'instance_suspended' });
    await operate(platform, 'resume', name);
    expect(await working(token)).toBe(true);
  });

  test('cannot use user paths, and users cannot use white-label paths', async () => {
    const { program } = await openInstance(platform);
    const acme = await openWorkspace(platform);
    const owner = await acme.as('owner');
    for (const reply of [
      await program.get('/api/user'),
      await program.get('/api/roles'),
      await owner.get('/api/wl/plans'),
    ])
      expect(reply).toMatchObject({ status: 401, body: { code: 'wrong_token_class' } });
  });

  test('receives no later end than the actual one of the token', async () => {
    freezeClock('2030-01-01T08:00:00.000Z');
    const { program } = await openInstance(platform);
    await program.post('/api/wl/token/rotate', { overlap_hours: 1 });
    const again = await program.post('/api/wl/token/rotate', { overlap_hours: 24 });
    expect(again.body.data.old_expires_at).toBe('2030-01-01T09:00:00.000Z');
  });

  test('rotates its token with an overlap, and has at most two valid tokens', async () => {
    const time = freezeClock('2030-01-01T08:00:00.000Z');
    const { program, token } = await openInstance(platform);
    const reply = await program.post('/api/wl/token/rotate', { overlap_hours: 2 });
    expect(reply.status).toBe(201);
    const { data: second } = reply.body;
    expect(second).toMatchObject({ mode: 'test', prefix: second.token.slice(0, 12), last4: second.token.slice(-4) });
    expect([await working(token), await working(second.token)]).toEqual([true, true]);
    const third = tokenIn(
      JSON.stringify((await (await programWith(platform, second.token)).post('/api/wl/token/rotate', {})).body),
    );
    expect([await working(token), await working(second.token), await working(third)]).toEqual([false, true, true]);
    time.goTo('2030-01-02T08:00:00.000Z');
    expect([await working(second.token), await working(third)]).toEqual([false, true]);
  });

  test('revokes the replaced token immediately on request', async () => {
    const { program, token } = await openInstance(platform);
    await program.post('/api/wl/token/rotate', { overlap_hours: 0 });
    expect(await working(token)).toBe(false);
    const response = await program.post('/api/wl/token/rotate', { overlap_hours: 169 });
    expect(response).toMatchObject({ status: 422, body: { errors: { overlap_hours: expect.anything() } } });
  });

  test('has at most two tokens after many concurrent rotations', async () => {
    const { program, name } = await openInstance(platform);
    const replies = await runConcurrently(50, () => program.post('/api/wl/token/rotate', {}));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([201]));
    const tokens = replies.map(({ body }) => body.data.token as string);
    const alive = (await Promise.all(tokens.map(working))).filter(Boolean);
    expect(alive.length).toBeLessThanOrEqual(2);
    expect(await working(tokenIn(await operate(platform, 'token', name, '--mode', 'test')))).toBe(true);
  });

  test('receives a token only once', async () => {
    const { program } = await openInstance(platform);
    const key = { headers: { 'idempotency-key': 'rotate' } };
    const first = await program.post('/api/wl/token/rotate', {}, key);
    const second = await program.post('/api/wl/token/rotate', {}, key);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body.data).toEqual({ ...first.body.data, token: null });
    const again = await openInstance(platform);
    expect((await again.program.post('/api/wl/token/rotate', {}, key)).body.data.token).not.toBeNull();
  });
});

describe('the white-label command', () => {
  test.each([
    [[], 'Enter a command. See npm run white-label -- --help.'],
    [['create'], 'Enter the name of the instance. See npm run white-label -- --help.'],
    [['create', ''], '--name:'],
    [['create', 'X', '--domain', 'https://x.example'], '--domain: Write a host such as northwind.example.'],
    [['create', 'X', '--domain', 'x.example', '--mode', 'prod'], '--mode: Use `live` or `test`.'],
    [['create', 'X', '--domain', 'x.example', '--overlap', '1'], '--overlap: Unknown option.'],
    [['token', 'X', '--overlap', '169'], '--overlap: At most 168 hours.'],
    [['token', 'X', '--overlap', '1.5'], '--overlap: Enter whole hours.'],
    [['suspend', 'X', '--mode', 'test'], '--mode: Unknown option.'],
    [['suspend', 'X', 'Y'], 'Unexpected argument "Y"'],
    [['suspend', 'X', '--force'], 'See npm run white-label -- --help.'],
  ])('rejects %j with one sentence: %s', async (words, sentence) => {
    const response = await operate(platform, ...words).catch((error: Error) => error.message);
    expect(response).toContain(sentence);
    expect(response).not.toContain('\n');
  });
});

describe('the format of a token', () => {
  test('is its class, its mode and 256 bits in exactly one spelling', () => {
    const token = newInstanceToken('live');
    expect(token).toMatch(/^wl_live_[\w-]{43}$/);
    for (const wrong of [token.slice(0, -1), `${token}A`, token.replace('live', 'none'), `${token.slice(0, -1)}B`])
      expect(isInstanceToken(wrong)).toBe(false);
  });
});

describe('return addresses of an instance', () => {
  test.each([
    ['https://northwind.example/done', true],
    ['https://app.northwind.example/', true],
    ['http://northwind.example/done', false],
    ['https://evilnorthwind.example/', false],
    ['https://northwind.example.evil.test/', false],
    ['https://northwind.example@evil.test/', false],
    ['https://user:secret@northwind.example/', false],
  ])('include %s: %s', (address, expected) => {
    expect(isInDomain(address, 'northwind.example')).toBe(expected);
  });
});
