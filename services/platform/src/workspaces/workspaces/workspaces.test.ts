import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import sharp from 'sharp';
import { openWorkspace, rpcOf } from '../../../test/workspace.ts';
import { platform as contents } from '../../platform.ts';
import { discardFiles } from '../../identity/accounts/picture.ts';

// Runs without schedules, so that the tests decide when files are deleted.
const platform = await start({ ...contents, schedules: [] });
const acme = await openWorkspace(platform);
const globex = await openWorkspace(platform);
const owner = await acme.as('owner');

const contactDetails = {
  name: 'Northwind Trading GmbH',
  address: 'Speicherstraße 12\n20457 Hamburg',
  tax_number: 'DE 123 456 789',
  letter_footer: 'IBAN DE89 3704 0044 0532 0130 00',
  letter_locale: 'de-DE',
  contact_email: 'office@northwind.example',
  contact_phone: '+49 40 1234',
  website: 'northwind.example',
};

const picture = (width: number, height: number, format: 'png' | 'jpeg' = 'png') =>
  sharp({ create: { width, height, channels: 4, background: '#0b7285aa' } })
    .toFormat(format)
    .toBuffer();

function form(content: Uint8Array<ArrayBuffer> | string): FormData {
  const form = new FormData();
  form.set('logo', new Blob([content], { type: 'image/png' }), 'logo.png');
  return form;
}

const keyOf = async (id: string) => (await platform.sql`SELECT logo FROM workspaces WHERE id = ${id}`)[0]!.logo;

describe('the workspace', () => {
  test('is visible to all its users, and changed by users with the permission', async () => {
    const changed = await owner.put('/api/workspace/update', contactDetails);
    expect(changed).toMatchObject({ status: 200, body: { data: { ...contactDetails, id: acme.id, logo_url: null } } });
    for (const role of ['staff', 'client'] as const) {
      const member = await acme.as(role);
      expect((await member.get('/api/workspace')).body.data).toEqual({ ...changed.body.data, allowed_actions: [] });
      expect((await member.put('/api/workspace/update', { name: 'Mine' })).status).toBe(403);
    }
    expect((await (await globex.as('owner')).get('/api/workspace')).body.data).toMatchObject({
      id: globex.id,
      address: null,
      tax_number: null,
      letter_footer: null,
      letter_locale: null,
    });
  });

  test('keeps omitted fields, and serializes concurrent changes', async () => {
    await owner.put('/api/workspace/update', contactDetails);
    const { body } = await owner.put('/api/workspace/update', { tax_number: null });
    expect(body.data).toMatchObject({ ...contactDetails, tax_number: null });
    const stale = await owner.put('/api/workspace/update', { name: 'Other', version: body.data.version - 1 });
    expect(stale).toMatchObject({ status: 412, body: { code: 'stale' } });
    const { version } = body.data;
    expect((await owner.put('/api/workspace/update', { name: 'Other', version })).status).toBe(200);
  });

  test.each([
    ['name', ''],
    ['address', 'x'.repeat(501)],
    ['tax_number', 'x'.repeat(51)],
    ['letter_footer', 'x'.repeat(501)],
    ['letter_locale', 'Klingon'],
    ['base_currency', 'XXA'],
    ['slug', 'other'],
    ['logo', 'somewhere'],
  ])('rejects an invalid %s', async (field, value) => {
    const { status, body } = await owner.put('/api/workspace/update', { [field]: value });
    expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: [field] });
  });
});

describe('a logo', () => {
  test('is redrawn as a PNG for the header of a PDF, and opens by its link', async () => {
    const { status, body } = await owner.upload('/api/workspace/logo', form(await picture(1_800, 300)));
    expect(status).toBe(200);
    const { content, headers } = await platform.anonymous.get(body.data.logo_url);
    expect(headers.get('content-type')).toBe('image/png');
    expect(await sharp(content).metadata()).toMatchObject({ format: 'png', width: 600, height: 100 });
    expect((await platform.anonymous.get(`${body.data.logo_url.slice(0, -2)}xx`)).status).toBe(403);
  });

  test('is not enlarged if it is small', async () => {
    const { body } = await owner.upload('/api/workspace/logo', form(await picture(40, 30, 'jpeg')));
    const { content } = await platform.anonymous.get(body.data.logo_url);
    expect(await sharp(content).metadata()).toMatchObject({ format: 'png', width: 40, height: 30 });
  });

  test('can be replaced and removed', async () => {
    await owner.upload('/api/workspace/logo', form(await picture(40, 30)));
    const first = await keyOf(acme.id);
    const { logo_url } = (await owner.upload('/api/workspace/logo', form(await picture(50, 30)))).body.data;
    const second = await keyOf(acme.id);
    expect((await owner.delete('/api/workspace/logo')).body.data.logo_url).toBe(null);
    expect((await platform.anonymous.get(logo_url)).status).toBe(404);
    await discardFiles.work(platform.tools as never);
    for (const key of [first, second]) expect(existsSync(join(platform.files_directory, key))).toBe(false);
    expect((await owner.delete('/api/workspace/logo')).status).toBe(200);
  });

  test.each([
    ['a text that says it is an image', async () => form('not an image'), 415],
    ['a drawing that could be run', async () => form('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415],
    ['half an image', async () => form(new Uint8Array(await picture(300, 300)).subarray(0, 150)), 422],
  ])('is rejected if it is %s', async (_, make, status) => {
    const before = await keyOf(acme.id);
    const reply = await owner.upload('/api/workspace/logo', await make());
    expect({ status: reply.status, fields: Object.keys(reply.body.errors) }).toEqual({ status, fields: ['logo'] });
    expect(await keyOf(acme.id)).toBe(before);
  });

  test('requires a permission to change', async () => {
    const staff = await acme.as('staff');
    expect((await staff.upload('/api/workspace/logo', form(await picture(40, 30)))).status).toBe(403);
    expect((await staff.delete('/api/workspace/logo')).status).toBe(403);
  });
});

describe('a letterhead', () => {
  test('is returned to other services with the logo, for the caller’s workspace', async () => {
    await owner.put('/api/workspace/update', contactDetails);
    await owner.upload('/api/workspace/logo', form(await picture(120, 60)));
    const {
      letter_footer: footer,
      letter_locale: locale,
      contact_email: email,
      contact_phone: phone,
      ...same
    } = contactDetails;
    const { logo, ...payload } = await rpcOf(platform, (await acme.as('client')).caller).getLetterhead({});
    expect(payload).toEqual({ ...same, footer, locale, email, phone });
    expect(await sharp(logo).metadata()).toMatchObject({ format: 'png', width: 120, height: 60 });
  });

  test('contains only the name by default', async () => {
    const { name, logo, ...rest } = await rpcOf(platform, (await globex.as('staff')).caller).getLetterhead({});
    expect({ name: name.length > 0, size: logo.length, ...rest }).toEqual({
      name: true,
      size: 0,
      address: '',
      tax_number: '',
      footer: '',
      locale: '',
      email: '',
      phone: '',
      website: '',
    });
  });

  test('is rejected without a caller, or for an unknown workspace', async () => {
    await expect(rpcOf(platform).getLetterhead({})).rejects.toMatchObject({ status: 401 });
    const { caller } = await acme.as('staff');
    const lost = { ...caller, workspace_id: randomUUID() };
    await expect(rpcOf(platform, lost).getLetterhead({})).rejects.toMatchObject({ status: 404 });
  });
});
