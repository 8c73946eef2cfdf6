import { methodConformance } from '@suite/testing';
import { openProjects } from '../../test/fixture.ts';
import { projectsRpc } from './projects.rpc.ts';

const { serving } = await openProjects();

methodConformance({ name: 'projects', serving, served: projectsRpc, idempotent: {} });
