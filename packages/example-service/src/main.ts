import { run } from '@suite/chassis';
import { notebook } from './notebook.ts';

await run(notebook);
