import { describe, expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import { platform as contents } from '../../platform.ts';
import { openWorkspace } from '../../../test/workspace.ts';
import { MODULES } from '../../entitlements/plans/module.ts';
import { PERMISSIONS, permissions, permissionsBut } from './permission.ts';
import { includesRights } from './role.rules.ts';
import { SEEDED_ROLE_KEYS, SEEDED_ROLES } from './seeded-roles.ts';

const platform = await start(contents);

describe('permissions', () => {
  test('have unique names of noun and verb', () => {
    expect(new Set(PERMISSIONS).size).toBe(PERMISSIONS.length);
    for (const permission of PERMISSIONS) expect(permission).toMatch(/^[a-z_]+\.[a-z_]+$/);
  });

  test('can be granted by noun', () => {
    expect(permissions('lead.*', 'deal.view')).toEqual([
      'lead.view',
      'lead.create',
      'lead.update',
      'lead.delete',
      'lead.convert',
      'deal.view',
    ]);
    expect(permissionsBut('lead.*')).toHaveLength(PERMISSIONS.length - 5);
  });
});

describe('seeded roles', () => {
  test('consist of ten roles, and only the owner has all permissions', () => {
    expect(SEEDED_ROLE_KEYS).toEqual([
      'owner',
      'manager',
      'accountant',
      'sales',
      'hr',
      'payroll',
      'agent',
      'staff',
      'client',
      'vendor',
    ]);
    const roles = Object.values(SEEDED_ROLES);
    expect(roles.every((role) => includesRights(SEEDED_ROLES.owner, role))).toBe(true);
    expect(roles.filter((role) => includesRights(role, SEEDED_ROLES.owner))).toEqual([SEEDED_ROLES.owner]);
  });

  test('let clients and vendors see only their own records', () => {
    for (const key of ['client', 'vendor'] as const) {
      const { permissions: granted, record_scopes } = SEEDED_ROLES[key];
      const nouns = new Set(granted.map((permission) => permission.split('.')[0]!));
      for (const open of ['faq', 'article']) nouns.delete(open);
      expect([...nouns].filter((noun) => (record_scopes as Record<string, string>)[noun] !== 'own')).toEqual([]);
    }
  });

  test('have no wider permissions with narrower record scopes', () => {
    const rights = { permissions: ['deal.view'], record_scopes: {} };
    const own = { permissions: ['deal.view'], record_scopes: { deal: 'own' as const } };
    expect(includesRights(rights, own)).toBe(true);
    expect(includesRights(own, rights)).toBe(false);
    expect(includesRights(own, own)).toBe(true);
  });
});

describe('the list of roles', () => {
  test('shows permissions, number of users, and whether the caller can assign a role', async () => {
    const acme = await openWorkspace(platform);
    const { status, body } = await (await acme.as('manager')).get('/api/roles?sort=created_at');
    expect(status).toBe(200);
    expect(body.data).toHaveLength(10);
    const byKey = Object.fromEntries(body.data.map((role: { key: string }) => [role.key, role]));
    expect(byKey.sales).toMatchObject({
      system: true,
      kind: 'staff',
      user_count: 1,
      grantable: true,
      record_scopes: { lead: 'own' },
    });
    expect(byKey.sales.permissions).toEqual(SEEDED_ROLES.sales.permissions);
    expect(byKey.owner).toMatchObject({ kind: 'owner', grantable: false });
    expect(byKey.hr).toMatchObject({ grantable: false });
    expect((await (await acme.as('sales')).get('/api/roles')).status).toBe(403);
  });

  test('includes custom roles with their stored permissions', async () => {
    const acme = await openWorkspace(platform);
    await platform.sql`INSERT INTO roles (id, workspace_id, key, name, description, kind, permissions, record_scopes)
      VALUES (gen_random_uuid(), ${acme.id}, 'intern', 'Intern', 'Looks', 'staff', '{lead.view}', '{"lead": "own"}')`;
    const { body } = await (await acme.as('owner')).get('/api/roles?key=intern');
    expect(body.data).toMatchObject([
      { system: false, permissions: ['lead.view'], record_scopes: { lead: 'own' }, user_count: 0 },
    ]);
  });
});

describe('plans', () => {
  test('refer to existing modules', async () => {
    const plans = await platform.sql`SELECT code, modules FROM plans ORDER BY position`;
    expect(plans.map(({ code }) => code)).toEqual(['starter', 'business', 'enterprise']);
    for (const { modules } of plans) expect(MODULES).toEqual(expect.arrayContaining(modules));
    expect(plans.at(-1)!.modules.toSorted()).toEqual([...MODULES].toSorted());
  });
});
