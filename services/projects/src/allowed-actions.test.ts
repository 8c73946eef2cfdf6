import { actionConformance } from '@suite/testing';
import { createOneOfEach } from '../test/create-one-of-each.ts';
import { openProjects } from '../test/fixture.ts';
import { workedProject } from '../test/worked-project.ts';
import { projects } from './projects.ts';

const { serving, office: openOffice } = await openProjects();
const office = await openOffice();
const workspace = await createOneOfEach(office);
await workedProject(office);

actionConformance({ contents: projects, serving, workspace, ...office });
