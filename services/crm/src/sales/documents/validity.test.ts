import { describe, expect, test } from '@jest/globals';
import { rejectStatements, findPostponed, freezeClock } from '@suite/testing';
import { openCrm, type Shop } from '../../../test/fixture.ts';
import { salesSteps } from '../../../test/sales.ts';
import { expireOffers } from './validity.ts';

const { serving, shop } = await openCrm();
const sweep = () => expireOffers(serving.tools as never);

/** Sends an offer that is valid for one day. */
async function offer(opened: Shop) {
  const { quote, updateQuote } = salesSteps(opened);
  const { id } = await quote({ issue_date: '2026-03-01', expiry_date: '2026-03-31' });
  expect((await updateQuote(id, { status: 'sent' })).status).toBe(200);
  return id as string;
}
const stored = async (id: string) =>
  (await serving.sql<{ status: string }>`SELECT status FROM quotes WHERE id = ${id}`)[0]?.status;

describe('the expiry of offers', () => {
  test('continues later after a failure, without blocking other workspaces', async () => {
    const still = freezeClock('2026-03-20T08:00:00Z');
    const [broken, sound] = [await shop(), await shop()];
    const [stuck, first] = [await offer(broken), await offer(sound)];
    const cure = await rejectStatements(serving, 'quotes', broken.workspace);
    still.goTo('2026-04-02T08:00:00Z');
    await sweep();
    expect([await stored(stuck), await stored(first)]).toEqual(['sent', 'expired']);
    still.goTo('2026-03-20T08:00:00Z');
    const second = await offer(sound);
    still.goTo('2026-04-02T08:00:30Z');
    await sweep();
    expect([await stored(stuck), await stored(second)]).toEqual(['sent', 'expired']);
    expect(await findPostponed(serving, 'crm.expire-offers', broken.workspace)).toEqual([{ attempts: 1 }]);
    await cure();
    still.goTo('2026-04-02T08:01:01Z');
    await sweep();
    expect(await stored(stuck)).toBe('expired');
    expect(await findPostponed(serving, 'crm.expire-offers', broken.workspace)).toEqual([]);
  });
});
