import { randomUUID } from 'node:crypto';
import { conformance, seclusion } from '@suite/testing';
import { createOneOfEach } from '../test/create-one-of-each.ts';
import { openHr } from '../test/fixture.ts';
import { hr } from './hr.ts';

const { serving, company } = await openHr();
const [leader, insider] = [randomUUID(), randomUUID()];

const [ours, theirs] = [
  await createOneOfEach(await company(), serving, leader, insider),
  await createOneOfEach(await company(), serving, randomUUID()),
];

conformance({
  contents: hr,
  serving,
  insider: { workspace: ours, user_id: insider },
  foreign_workspace: theirs,
  named: { complaint_id: 'complaints' },
});

seclusion({ contents: hr, serving, workspace: ours, mate: { user_id: leader } });
