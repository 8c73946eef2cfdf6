import { run } from '@suite/chassis/service';
import { notebook } from './notebook.ts';

await run(notebook);
