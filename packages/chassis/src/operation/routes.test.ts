import { expect, test } from '@jest/globals';
import { Routes } from './routes.ts';

const routes = new Routes<string>();
routes.add('GET', '/api/lead/{id}', 'show');
routes.add('GET', '/api/lead/board', 'board');
routes.add('PUT', '/api/lead/{lead_id}', 'update');
routes.add('GET', '/api/lead/{lead_id}/tasks/{id}', 'task');
routes.add('GET', '/api/lead/board/columns', 'columns');

test('finds a route by its method and path', () => {
  expect(routes.find('GET', '/api/lead/7')).toEqual({ served: 'show', params: { id: '7' } });
  expect(routes.find('PUT', '/api/lead/7')).toEqual({ served: 'update', params: { lead_id: '7' } });
  expect(routes.find('GET', '/api/lead/7/tasks/8')).toEqual({ served: 'task', params: { lead_id: '7', id: '8' } });
});

test('prefers a literal segment to a variable if it leads to a route', () => {
  expect(routes.find('GET', '/api/lead/board')?.served).toBe('board');
  expect(routes.find('GET', '/api/lead/board/tasks/8')).toEqual({
    served: 'task',
    params: { lead_id: 'board', id: '8' },
  });
  expect(routes.find('PUT', '/api/lead/board')?.served).toBe('update');
});

test('answers HEAD for every GET route', () => {
  expect(routes.find('HEAD', '/api/lead/7')?.served).toBe('show');
});

test.each(['/api/lead', '/api/lead/', '/api/lead/7/', '/api//7', '/API/lead/7', '/api/lead/7/tasks', '/', ''])(
  'there is nothing at "%s"',
  (path) => {
    expect(routes.find('GET', path)).toBeUndefined();
    expect(routes.find('DELETE', '/api/lead/7')).toBeUndefined();
  },
);

test('decodes variables and rejects variables that are not UTF-8', () => {
  expect(routes.find('GET', '/api/lead/a%2Fb%20%C3%A4')?.params).toEqual({ id: 'a/b ä' });
  expect(() => routes.find('GET', '/api/lead/%ff')).toThrow(URIError);
});
