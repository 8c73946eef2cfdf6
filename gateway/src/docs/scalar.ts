/**
 * Browser script of Scalar. The Fastify plugin contains the bundled script. `@scalar/api-reference` also exports it,
 * but would install the 250 packages that it is built from.
 */
const PREFIX = '/docs';

/** Part of a Fastify reply that the plugin's handlers use. */
interface FastifyReply {
  header(name: string, value: string): FastifyReply;
  send(body: string): string;
}

interface FastifyRoute {
  url: string;
  handler(request: object, reply: FastifyReply): string;
}

/** Type of the plugin, declared here because Fastify is not installed. */
type FastifyPlugin = (
  fastify: { initialConfig: object; route(route: FastifyRoute): void },
  options: { routePrefix: string; configuration: { url: string } },
  next: () => void,
) => void;

/** Loads the script, which has several megabytes. @throws Error if the plugin does not serve it */
export async function loadScript(): Promise<string> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const routes = new Map<string, FastifyRoute>();
  const fastify = { initialConfig: {}, route: (route: FastifyRoute) => void routes.set(route.url, route) };
  (plugin as FastifyPlugin)(fastify, { routePrefix: PREFIX, configuration: { url: '/openapi.json' } }, () => {});
  const reply: FastifyReply = { header: () => reply, send: (body) => body };
  const script = routes.get(`${PREFIX}/js/scalar.js`)?.handler({}, reply);
  if (!script) throw new Error('@scalar/fastify-api-reference no longer serves its script at js/scalar.js.');
  return script;
}
