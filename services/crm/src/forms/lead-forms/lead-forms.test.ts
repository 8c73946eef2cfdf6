import { Script } from 'node:vm';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openCrm, type Shop } from '../../../test/fixture.ts';
import { formSettings, PAGE, visitorsOf } from '../../../test/visitor.ts';

const { serving, shop: openShop, platform } = await openCrm();
const { anonymous } = serving;
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
const { widget, load } = visitorsOf(serving, () => shop);
const page = (token: string, query = '') =>
  anonymous.get(`/api/widget/${token}${query}`, { headers: { accept: 'text/html,*/*;q=0.8' } });
const textOf = ({ content }: { content: Uint8Array }) => Buffer.from(content).toString();

describe('a form', () => {
  test('is shown with its texts, in the requested language if available', async () => {
    const { token } = await widget();
    const form = await load({ token });
    expect(form).toMatchObject({
      token,
      version: 1,
      language: 'en',
      texts: { title: 'Write to us', intro: null, submit: 'Send', thanks: 'Thank you!' },
      consent: {
        required: true,
        text: 'You may write to me.',
        version: 1,
        privacy_url: 'https://www.example.com/privacy',
      },
      honeypot: expect.stringMatching(/^[a-z_]+$/),
      form_token: expect.stringMatching(/^[\w-]{75}$/),
      submit_url: 'http://suite.test/api/widget/lead?lang=en',
      redirect_url: null,
    });
    expect(form.fields[0]).toEqual({ name: 'name', type: 'text', label: 'Name', required: true, max_length: 500 });
    expect(form.fields[4]).toMatchObject({ type: 'select', options: ['small', 'large'] });
    const german = await load({ token }, '?lang=de');
    expect(german).toMatchObject({ language: 'de', texts: { submit: 'Senden' }, consent: { text: 'Ich stimme zu.' } });
    expect(german.fields[0].label).toBe('Ihr Name');
    expect((await load({ token }, '?lang=fr')).language).toBe('en');
    const [one, other] = [await load({ token }), await load({ token })];
    expect(one.form_token).not.toBe(other.form_token);
  });

  test('reveals nothing about its owner and settings', async () => {
    const form = await load(await widget());
    for (const hidden of [
      'id',
      'name',
      'owner_id',
      'pipeline_id',
      'stage_id',
      'counters',
      'allowed_origins',
      'workspace_id',
    ])
      expect(form).not.toHaveProperty(hidden);
  });

  test('is a page that only allowed origins can embed in a frame', async () => {
    const { token } = await widget();
    const { status, headers, ...answer } = await page(token);
    const text = textOf(answer);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const [, nonce] = /script-src 'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '')!;
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors ${PAGE} https://*.shop.example`,
    );
    expect(headers.get('referrer-policy')).toBe('origin');
    for (const absent of ['x-frame-options', 'set-cookie']) expect(headers.has(absent)).toBe(false);
    expect(text).toContain('<html lang="en">');
    expect(text.match(/<(?:script|style)[^>]*nonce="[^"]+"/g)).toHaveLength(3);
    const again = await page(token);
    expect(again.headers.get('content-security-policy')).not.toContain(nonce!);
    const alone = await page((await widget({ allowed_origins: [] })).token);
    expect(alone.headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'$/);
  });

  test('executes no script from the texts of its settings', async () => {
    const evil = '</script><script>alert(1)</script>"\'><img src=x onerror=alert(1)>';
    const label = { label: evil, required: true };
    const { token } = await widget({
      fields: [
        { name: 'name', type: 'text', ...label },
        { name: 'size', type: 'select', ...label, options: [evil] },
        { name: 'box', type: 'checkbox', ...label },
      ],
      texts: { en: { title: evil, intro: evil, submit: evil.slice(0, 60), thanks: evil } },
      consent: { text: evil, privacy_url: 'https://www.example.com/"><script>' },
    });
    const text = textOf(await page(token));
    expect(text).not.toContain('<script>alert');
    expect(text).not.toContain('<img');
    expect(text.match(/<script/g)).toHaveLength(2);
  });

  test('sends the option values as configured', async () => {
    const size = { name: 'size', type: 'select', label: 'Size', options: ['not  small', '"large"'] };
    const { token } = await widget({ fields: [...formSettings.fields.slice(0, 1), size] });
    const text = textOf(await page(token));
    for (const option of ['<option value="not  small">', '<option value="&quot;large&quot;">'])
      expect(text).toContain(option);
  });

  test('can be embedded with a small, cacheable script', async () => {
    const { token } = await widget();
    const reply = await anonymous.get(`/api/widget/${token}/embed.js`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(reply.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(reply.content.length).toBeLessThan(5 * 1024);
    expect(() => new Script(textOf(reply))).not.toThrow();
  });

  test('returns the same 404 for invalid tokens and inactive workspaces', async () => {
    const other = await openShop();
    const { token } = (await other.owner.post('/api/widget/create', formSettings)).body.data;
    const looks = async (shown: string) => {
      for (const path of [`/api/widget/${shown}`, `/api/widget/${shown}/embed.js`]) {
        const { status, body } = await anonymous.get(path);
        expect([status, body.code, body.message]).toEqual([404, 'not_found', 'Record not found.']);
      }
    };
    for (const unknown of [`wgt_${'x'.repeat(43)}`, 'x', 'y'.repeat(2_000), '%00', '%0A']) await looks(unknown);
    platform.workspaces.set(other.workspace, { active: false });
    await looks(token);
    platform.workspaces.set(other.workspace, { modules: ['sales'] });
    await looks(token);
    platform.workspaces.delete(other.workspace);
    expect((await anonymous.get(`/api/widget/${token}`)).status).toBe(200);
  });
});
