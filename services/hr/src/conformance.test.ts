import { conformance, seclusion } from '@suite/testing';
import { openHr } from '../test/fixture.ts';
import { hr } from './hr.ts';

const { serving, company } = await openHr();

/** A workspace with a record of every kind that an operation shows. */
const furnished = async (): Promise<string> => (await company()).workspace;

const [ours, theirs] = [await furnished(), await furnished()];

conformance({ contents: hr, serving, insider: { workspace: ours }, foreign_workspace: theirs });

seclusion({ contents: hr, serving, workspace: ours });
