import { actionConformance } from '@suite/testing';
import { createOneOfEach } from '../test/create-one-of-each.ts';
import { openProjects } from '../test/fixture.ts';
import { workedProject } from '../test/worked-project.ts';
import { projects } from './projects.ts';

const { serving, office: openOffice } = await openProjects();
const office = await openOffice();
await createOneOfEach(office);
await workedProject(office);

// Whether a stage is the last of its kind depends on the other stages.
actionConformance({ contents: projects, serving, ...office, other_records: ['last_stage'] });
