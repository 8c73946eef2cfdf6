import { describe, expect, test } from '@jest/globals';
import type { FeedPlace, NewChange } from '@suite/proto/records/v1/records';
import { type Batch, merge } from './merge.ts';

const placeAt = (settled: string): FeedPlace => ({
  epoch: '1',
  settled,
  since: '2026-01-01T00:00:00.000Z',
  floor: '0',
  next_floor: '0',
  next_settled: '0',
  until: undefined,
  resume: undefined,
});

/** Returns a batch of changes at these minutes. */
function batch(service: Batch['service'], minutes: readonly number[], has_more = false): Batch {
  const changes = minutes.map((minute, at): NewChange => {
    const time = `2026-11-29T10:${String(minute).padStart(2, '0')}:00.000Z`;
    const record = { record_type: `${service}.x`, record_id: `${service} ${minute}` };
    return { position: String(at + 1), number: 1, ...record, action: 'updated', at: time };
  });
  const last_at = has_more ? changes.at(-1)?.at : undefined;
  return { service, changes, has_more, last_at, here: placeAt('here'), next: placeAt('next') };
}

const idsOf = (batches: readonly Batch[]) => merge(batches).changes.map(({ record_id }) => record_id);

describe('merged changes', () => {
  test('are ordered by time', () => {
    const batches = [batch('crm', [1, 4]), batch('hr', [2, 3])];
    expect(idsOf(batches)).toEqual(['crm 1', 'hr 2', 'hr 3', 'crm 4']);
    expect(merge(batches)).toMatchObject({ has_more: false, places: { crm: placeAt('next'), hr: placeAt('next') } });
  });

  test('keep the order of their service after its clock was set back', () => {
    expect(idsOf([batch('crm', [5, 3]), batch('hr', [4, 6])])).toEqual(['hr 4', 'crm 5', 'crm 3', 'hr 6']);
  });

  test('end with the last change of a service that has more', () => {
    const merged = merge([batch('crm', [1, 3], true), batch('hr', [2, 4, 5])]);
    expect(merged.changes.map(({ record_id }) => record_id)).toEqual(['crm 1', 'hr 2', 'crm 3']);
    expect(merged).toMatchObject({
      has_more: true,
      places: { crm: placeAt('next'), hr: { ...placeAt('here'), resume: '1' } },
    });
  });

  test('leave the place of a service without a change in time', () => {
    expect(merge([batch('crm', [1], true), batch('hr', [2])]).places).toEqual({ crm: placeAt('next') });
  });

  test('include all changes of the service that has more, regardless of its clock', () => {
    const merged = merge([batch('crm', [9, 1], true), batch('hr', [8, 10])]);
    expect(merged.changes.map(({ record_id }) => record_id)).toEqual(['hr 8', 'crm 9', 'crm 1']);
    expect(merged.places.crm).toEqual(placeAt('next'));
  });

  test('can have no change', () => {
    expect(merge([batch('crm', []), batch('hr', [])])).toMatchObject({ changes: [], has_more: false });
  });
});
