import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { LeadConverted, LeadStageChanged } from '@suite/proto/crm/v1/events';
import { ApiKeyRevoked, UserAccessChanged, WorkspaceEntitlementsChanged } from '@suite/proto/platform/v1/events';
import { type EventMessage, eventName, pending, schemaVersion } from './events.ts';

test.each([
  [LeadConverted, 'crm.lead.converted'],
  [LeadStageChanged, 'crm.lead.stage_changed'],
  [ApiKeyRevoked, 'platform.api_key.revoked'],
  [UserAccessChanged, 'platform.user.access_changed'],
  [WorkspaceEntitlementsChanged, 'platform.workspace.entitlements_changed'],
] as [EventMessage<unknown>, string][])('the name of an event follows from its message: %#', (message, name) => {
  expect(eventName(message)).toBe(name);
  expect(schemaVersion(message)).toBe('v1');
});

test.each([
  ['suite.crm.v1.LeadConverted', { name: '' }, 'must name its aggregate'],
  ['suite.crm.v1.DealWon', { lead_id: '' }, 'must begin with its aggregate'],
  ['other.DealWon', { deal_id: '' }, 'is not in a package'],
])('rejects a message that violates the naming rule: %s', ($type, fields, reason) => {
  const message = { $type, fromPartial: () => fields, fromJSON: () => fields };
  expect(() => eventName(message)).toThrow(reason);
});

test('a pending event keeps its field names and is restored completely', () => {
  const value = { lead_id: randomUUID(), deal_id: randomUUID(), client_ids: ['c'], new_client: undefined };
  const event = pending(LeadConverted, value);
  expect(event).toMatchObject({
    type: 'crm.lead.converted',
    schema_version: 'v1',
    aggregate_id: value.lead_id,
    data: value,
  });
  expect(LeadConverted.fromJSON(JSON.parse(JSON.stringify(event.data)))).toEqual(value);
});

test('rejects an event without the ID of its record', () => {
  expect(() => pending(LeadConverted, LeadConverted.fromPartial({}))).toThrow('does not name its record');
});
