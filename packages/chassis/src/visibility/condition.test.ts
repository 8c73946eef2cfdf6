import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Caller } from '../identity/identity.ts';
import {
  allOf,
  among,
  anyOf,
  describeCondition,
  linkedBy,
  noneOr,
  notAmong,
  ownedBy,
  refersTo,
  sees,
} from './condition.ts';
import { policyOf } from './policy.ts';
import { callerViews } from './caller-view.ts';
import { visibility } from './visibility.ts';

const declared = [
  visibility('leads', {
    noun: 'lead',
    limited: anyOf(ownedBy('owner_id'), linkedBy('lead_users', { record: 'lead_id', user: 'user_id' })),
  }),
  visibility('calls', {
    noun: 'call',
    all: allOf(noneOr(refersTo('lead_id', 'leads')), sees('lead')),
    limited: ownedBy('owner_id'),
  }),
];

const user_id = randomUUID();
const caller: Caller = {
  user_id,
  user_name: 'Kim',
  kind: 'staff',
  workspace_id: randomUUID(),
  role: 'agent',
  session_id: randomUUID(),
  permissions: ['lead.view', 'call.view'],
  record_scopes: {},
  modules: [],
  timezone: 'UTC',
  currency: 'EUR',
};
const narrowing = (table: string, rights: Partial<Caller>) =>
  callerViews(declared)({ ...caller, ...rights })?.narrowing(table);

test('a policy reads the settings of the transaction', () => {
  expect(policyOf(declared[0]!)).toBe(
    `CASE (SELECT suite_reach('lead')) WHEN 'all' THEN TRUE ${['own', 'team']
      .map(
        (reach) =>
          `WHEN '${reach}' THEN (leads.owner_id = ANY ((SELECT suite_people('lead'))::uuid[]) OR leads.id IN (SELECT suite_linked('lead_users', 'lead_id', 'user_id', (SELECT suite_people('lead'))::uuid[])))`,
      )
      .join(' ')} ELSE FALSE END`,
  );
});

test("a list is limited by the caller's IDs as values", () => {
  const own = narrowing('leads', { record_scopes: { lead: 'own' } });
  expect(own?.sql).toBe(
    "(leads.owner_id = ?::uuid OR leads.id = ANY (ARRAY(SELECT suite_linked('lead_users', 'lead_id', 'user_id', ?::uuid[]))))",
  );
  expect(own?.values).toEqual([user_id, [user_id]]);
  const mate = randomUUID();
  const team = narrowing('leads', { record_scopes: { lead: 'team' }, team: [mate] });
  expect(team?.sql).toContain('leads.owner_id = ANY (?::uuid[])');
  expect(team?.values).toEqual([
    [mate, user_id],
    [mate, user_id],
  ]);
});

test('narrows a list by visible records of other tables, unless all are visible', () => {
  expect(narrowing('calls', { record_scopes: { lead: 'own' } })?.sql).toContain(
    '(calls.lead_id IS NULL OR calls.lead_id = ANY (ARRAY(SELECT leads.id FROM leads WHERE (leads.owner_id = ',
  );
  expect(narrowing('calls', { record_scopes: { call: 'own' } })?.sql).toBe('calls.owner_id = ?::uuid');
  expect(narrowing('leads', { record_scopes: { call: 'own' } })).toBeUndefined();
  expect(narrowing('calls', { permissions: ['call.view'] })?.sql).toContain('FALSE');
});

const led = visibility('people', {
  noun: 'person',
  limited: among('id', 'people_led'),
  none: among('id', 'people_led'),
});

test('limits records by a database function, even without the permission', () => {
  const asked = "people.id = ANY ((SELECT people_led(suite_reach('person')))::uuid[])";
  expect(policyOf(led)).toBe(
    `CASE (SELECT suite_reach('person')) WHEN 'all' THEN TRUE ${['own', 'team', 'none'].map((reach) => `WHEN '${reach}' THEN ${asked}`).join(' ')} ELSE FALSE END`,
  );
  const narrowed = (rights: Partial<Caller>) => callerViews([led])({ ...caller, ...rights })?.narrowing('people');
  expect(narrowed({ permissions: ['person.view'] })).toBeUndefined();
  expect(narrowed({})?.values).toEqual(['none']);
  expect(narrowed({ permissions: ['person.view'], record_scopes: { person: 'team' } })).toMatchObject({
    sql: 'people.id = ANY ((SELECT people_led(?))::uuid[])',
    values: ['team'],
  });
});

test('hides restricted records from callers who see all other records', () => {
  const claims = visibility('claims', {
    noun: 'claim',
    all: notAmong('against_id', 'own_person'),
    limited: allOf(ownedBy('owner_id'), notAmong('against_id', 'own_person')),
  });
  const asked =
    "(claims.against_id IS NULL OR claims.against_id <> ALL ((SELECT own_person(suite_reach('claim')))::uuid[]))";
  expect(policyOf(claims)).toContain(`WHEN 'all' THEN ${asked}`);
  const narrowed = (rights: Partial<Caller>) => callerViews([claims])({ ...caller, ...rights })?.narrowing('claims');
  expect(narrowed({ kind: 'owner', permissions: ['claim.view'] })).toMatchObject({
    sql: '(claims.against_id IS NULL OR claims.against_id <> ALL ((SELECT own_person(?))::uuid[]))',
    values: ['all'],
  });
  expect(narrowed({ permissions: ['claim.view'], record_scopes: { claim: 'own' } })?.values).toEqual([user_id, 'own']);
  expect(describeCondition(notAmong('against_id', 'own_person'), 'claims')).toBe(
    '(claims.against_id IS NULL OR claims.against_id <> ALL (own_person))',
  );
});

test('a document describes the caller in words', () => {
  expect(describeCondition(noneOr(refersTo('lead_id', 'leads')), 'calls')).toBe(
    '(calls.lead_id IS NULL OR calls.lead_id IN (SELECT leads.id FROM leads))',
  );
});
