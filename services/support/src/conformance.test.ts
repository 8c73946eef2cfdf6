import { conformance, seclusion } from '@suite/testing';
import { openSupport } from '../test/fixture.ts';
import { support } from './support.ts';

const { serving, office } = await openSupport();

const [ours, theirs] = [(await office()).workspace, (await office()).workspace];

conformance({ contents: support, serving, insider: { workspace: ours }, foreign_workspace: theirs });

seclusion({ contents: support, serving, workspace: ours });
