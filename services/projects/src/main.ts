import { run } from '@suite/chassis';
import { projects } from './projects.ts';

await run(projects);
