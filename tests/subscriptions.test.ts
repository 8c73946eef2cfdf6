import { expect, test } from '@jest/globals';
import { calledBy, eventName } from '@suite/chassis/declarations';
import { declared } from '@suite/testing/declared';
import { processes, services } from '@suite/local/processes';

test.each([...declared])('NATS lets $name read exactly the events of its consumers', (service) => {
  const sources = (service.consumers ?? []).map(({ event }) => eventName(event).split('.')[0]);
  const row = processes.find(({ name }) => name === service.name);
  expect(new Set(row?.subscribesTo ?? [])).toEqual(new Set(sources));
});

test.each([...declared])('the table of the suite lists the services that $name calls', (service) => {
  const row = services.find(({ name }) => name === service.name);
  expect(new Set(row?.calls)).toEqual(new Set(calledBy(service)));
});
