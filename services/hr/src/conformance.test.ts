import { randomUUID } from 'node:crypto';
import { conformance, visibilityConformance } from '@suite/testing';
import { createOneOfEach } from '../test/create-one-of-each.ts';
import { openHr } from '../test/fixture.ts';
import { hr } from './hr.ts';

const { serving, company } = await openHr();
const [leader, insider] = [randomUUID(), randomUUID()];

const [ownRecords, otherRecords] = [
  await createOneOfEach(await company(), serving, leader, insider),
  await createOneOfEach(await company(), serving, randomUUID()),
];

conformance({
  contents: hr,
  serving,
  insider: { workspace: ownRecords, user_id: insider },
  foreign_workspace: otherRecords,
  named: { complaint_id: 'complaints' },
});

visibilityConformance({ contents: hr, serving, workspace: ownRecords, mate: { user_id: leader } });
