import { listIndexes, start } from '@suite/testing';
import { projects } from './projects.ts';

listIndexes({
  contents: projects,
  serving: await start(projects),
  small: ['users', 'stages', 'project_clients'],
});
