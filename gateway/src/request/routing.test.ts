import { describe, expect, test } from '@jest/globals';
import { services as suite } from '@suite/local/processes';
import { GatewayFault } from './faults.ts';
import { readRoutes, routing } from './routing.ts';

const table = {
  routes: { lead: 'crm', sales: 'crm', 'v1/settings': 'platform', 'v1/invoices': 'finance' },
  operations: [
    { method: 'GET', path: '/api/lead/show/{id}', service: 'crm', access: 'permission' as const },
    { method: 'POST', path: '/api/lead/create', service: 'crm', access: 'permission' as const },
    { method: 'DELETE', path: '/api/lead/{id}/products/{product_id}', service: 'crm', access: 'permission' as const },
    { method: 'GET', path: '/api/sales/quotes/{id}', service: 'crm', access: 'permission' as const },
    { method: 'POST', path: '/api/sales/quotes/store', service: 'crm', access: 'permission' as const },
    { method: 'GET', path: '/api/v1/settings/api-keys', service: 'platform', access: 'permission' as const },
    { method: 'GET', path: '/api/v1/invoices', service: 'finance', access: 'permission' as const },
  ],
};
const { find, services } = routing(table);

function faultOf(method: string, path: string): GatewayFault {
  try {
    find(method, path);
  } catch (error) {
    if (error instanceof GatewayFault) return error;
  }
  throw new Error(`${method} ${path} was not fault.`);
}

describe('routing', () => {
  test('finds the operation of a path and its service', () => {
    expect(find('GET', '/api/lead/show/42')).toMatchObject({ service: 'crm', name: 'GET /api/lead/show/{id}' });
    expect(find('DELETE', '/api/lead/1/products/2').path).toBe('/api/lead/{id}/products/{product_id}');
  });

  test('distinguishes the services under v1 by the second segment', () => {
    expect(find('GET', '/api/v1/settings/api-keys').service).toBe('platform');
    expect(find('GET', '/api/v1/invoices').service).toBe('finance');
    expect(services.toSorted()).toEqual(['crm', 'finance', 'platform']);
  });

  test('prefers a literal segment, and tries the variable for other methods', () => {
    expect(find('POST', '/api/sales/quotes/store').path).toBe('/api/sales/quotes/store');
    expect(find('GET', '/api/sales/quotes/store').path).toBe('/api/sales/quotes/{id}');
    expect(faultOf('PUT', '/api/sales/quotes/store').headers['allow']).toBe('POST, GET, HEAD');
  });

  test('accepts HEAD for every GET operation', () => {
    expect(find('HEAD', '/api/lead/show/42').method).toBe('GET');
    expect(faultOf('HEAD', '/api/lead/create').status).toBe(405);
  });

  test.each([
    ['/'],
    ['/api'],
    ['/api/'],
    ['/api/lead'],
    ['/api/lead/'],
    ['/api/lead/create/'],
    ['/api/lead/show'],
    ['/api/lead/show/'],
    ['/api/lead/show/1/2'],
    ['/api/lead//products/2'],
    ['/api/Lead/create'],
    ['/API/lead/create'],
    ['/api/leadx/create'],
    ['/api/v1'],
    ['/api/v1/other'],
    ['/v1/settings/api-keys'],
    ['/api/constructor'],
    ['/api/__proto__/create'],
  ])('does not find %s', (path) => {
    for (const method of ['GET', 'POST', 'BREW']) expect(faultOf(method, path).status).toBe(404);
  });

  test('returns the allowed methods of a path', () => {
    const fault = faultOf('PATCH', '/api/lead/create');
    expect(fault).toMatchObject({ status: 405, code: 'method_not_allowed', headers: { allow: 'POST' } });
    expect(faultOf('POST', '/api/lead/show/42').headers['allow']).toBe('GET, HEAD');
  });

  test('rejects a table with an operation outside the routes of its service', () => {
    const wrong = { ...table, routes: { ...table.routes, lead: 'finance' } };
    expect(() => routing(wrong)).toThrow('/api/lead/show/{id} is not under a route of crm');
  });

  test('finds every operation of the generated table', () => {
    const { services: real } = readRoutes(new URL('../routes.json', import.meta.url));
    expect(real.toSorted()).toEqual(suite.map(({ name }) => name).toSorted());
  });
});
