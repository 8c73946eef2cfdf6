import { randomBytes } from 'node:crypto';
import { processes } from '../local/src/processes.ts';

// Prints the passwords that docker-compose.yml requires: node deploy/docker/secrets.ts > .env
const names = ['POSTGRES', ...processes.filter((row) => row.service).map((row) => row.name.toUpperCase())];
for (const name of names) console.log(`${name}_PASSWORD=${randomBytes(24).toString('base64url')}`);
