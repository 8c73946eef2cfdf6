import { conformance, seclusion } from '@suite/testing';
import { openProjects } from '../test/fixture.ts';
import { projects } from './projects.ts';

const { serving, office } = await openProjects();

const [ours, theirs] = [(await office()).workspace, (await office()).workspace];

conformance({ contents: projects, serving, insider: { workspace: ours }, foreign_workspace: theirs });

seclusion({ contents: projects, serving, workspace: ours });
