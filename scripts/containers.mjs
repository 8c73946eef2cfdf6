import { node, openly } from './command.mjs';
import { setUp } from './set-up.mjs';
import { parseArguments } from './words.mjs';

parseArguments({
  command: 'npm run containers',
  help: `
Usage: npm run containers [-- options]

Builds the images of all processes from deploy/docker/Dockerfile with buildah, and runs the pods of values-small.yaml
with podman: Secrets, PostgreSQL, NATS, migrations, processes and a first call. Then stops them. Checks that each container
is confined, that the first response arrives within 60 s, and that each process stops with the exit code 0.
Writes docs/operations/results/containers.md.

Requires Linux, root, and the packages podman, buildah, runc and netavark. If no registry can be reached, also
debootstrap: the images of Node.js, NATS and PostgreSQL are then made from Debian. Installs nothing, and removes its
containers, images and network. Needs 15 GB of disk space, and about 20 minutes.

  --storage <folder>  keeps the images in this folder, for faster runs`,
  options: { storage: { type: 'string' } },
});
await setUp({ servers: false });
process.exitCode = await openly(node, ['deploy/containers/main.ts', ...process.argv.slice(2)]);
