/** Writes the parts of docker-compose.yml that follow from the table of services. The rest is edited by hand. */

/** A service, as the compose file describes it. */
interface ComposedService {
  name: string;
  /** The services that it calls over gRPC. */
  calls: readonly string[];
}

const variable = (name: string): string => name.toUpperCase();
const database = (name: string): string => `postgres://${name}:\${${variable(name)}_PASSWORD}@postgres:5432/${name}`;

const image = (name: string, folder: string): string => `x-${name}: &${name}-image
  image: suite-${name}
  build: { context: ., dockerfile: deploy/docker/Dockerfile, args: { SERVICE: ${folder} } }
`;

const password = (name: string): string =>
  `      ${variable(name)}_PASSWORD: \${${variable(name)}_PASSWORD:?run node deploy/docker/secrets.ts > .env first}\n`;

/** The program that prepares a deployment, in the image of the first service. */
export const PREPARE_COMMAND: readonly string[] = ['node', 'dist/prepare.js'];

/** The program and arguments that migrate the database of a service, in its image. */
export const MIGRATION_COMMAND: readonly string[] = ['node', 'dist/migrate.js', '.'];

const migration = ({ name }: ComposedService): string => `  migrate-${name}:
    <<: [*step, *${name}-image]
    command: [${MIGRATION_COMMAND.join(', ')}]
    environment:
      DATABASE_URL: ${database(name)}
    depends_on:
      prepare: { condition: service_completed_successfully }
`;

const service = ({ name, calls }: ComposedService): string => `  ${name}:
    <<: [*process, *${name}-image]
    environment:
      <<: [*common, *service]
      KEYS_DIR: /keys/${name}
      NATS_CREDENTIALS: /keys/${name}/nats.credentials
      DATABASE_URL: ${database(name)}
${calls.map((called) => `      RPC_${variable(called)}: ${called}:8001\n`).join('')}    volumes: ["keys-${name}:/keys/${name}:ro", "files-${name}:/files", "mail:/mail"]
    depends_on:
      migrate-${name}: { condition: service_completed_successfully }
      nats: { condition: service_healthy }
`;

/** Returns the generated sections by name: the lines between `# <name>` and `# </name>`. */
function sectionsOf(services: readonly ComposedService[]): Record<string, string> {
  const names = services.map(({ name }) => name);
  const withGateway = ['gateway', ...names];
  return {
    images: [image('gateway', 'gateway'), ...names.map((name) => image(name, `services/${name}`))].join('\n'),
    passwords: names.map(password).join(''),
    'prepared keys': withGateway.map((name) => `      - keys-${name}:/keys/${name}\n`).join(''),
    services: [...services.map(migration), ...services.map(service)].join('\n'),
    upstreams: names.map((name) => `      UPSTREAM_${variable(name)}: http://${name}:8000\n`).join(''),
    volumes: [...withGateway.map((name) => `  keys-${name}:\n`), ...names.map((name) => `  files-${name}:\n`)].join(''),
  };
}

/**
 * Returns the compose file with its generated sections for these services.
 * @throws Error if the file has no such section
 */
export function composeFile(text: string, services: readonly ComposedService[]): string {
  return Object.entries(sectionsOf(services)).reduce((file, [name, lines]) => {
    const section = new RegExp(`(^ *# <${name}>\\n).*?(^ *# </${name}>\\n)`, 'ms');
    if (!section.test(file)) throw new Error(`docker-compose.yml has no lines "# <${name}>" and "# </${name}>".`);
    return file.replace(section, (_, first: string, last: string) => first + lines + last);
  }, text);
}
