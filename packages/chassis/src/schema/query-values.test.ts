import { describe, expect, test } from '@jest/globals';
import { parse } from 'node:querystring';
import { queryValues } from './query-values.ts';

describe('a query string', () => {
  test.each([
    ['expand=a,b', { expand: 'a,b' }],
    ['expand=a&expand=b', { expand: 'a,b' }],
    ['expand[]=a&expand[]=b', { expand: 'a,b' }],
    ['expand[]=a', { expand: 'a' }],
    ['expand=a&expand[]=b', { expand: 'a,b' }],
    ['sort=-a&sort=b&fields=id&fields=a', { sort: '-a,b', fields: 'id,a' }],
    ['id[in]=1&id[in]=2,3', { 'id[in]': '1,2,3' }],
    ['id[in][]=1&id[in][]=2', { 'id[in]': '1,2' }],
    ['status=open', { status: 'open' }],
    ['tags[]=a', { 'tags[]': 'a' }],
  ])('reads %s', (query, expected) => {
    expect({ ...queryValues(parse(query)) }).toEqual(expected);
  });

  test.each([['q=a&q=b'], ['page=1&page=2'], ['amount[gte]=1&amount[gte]=2'], ['__proto__=1&__proto__=2']])(
    'rejects %s and names the parameter',
    (query) => {
      expect(() => queryValues(parse(query))).toThrow('Send this parameter once.');
    },
  );
});
