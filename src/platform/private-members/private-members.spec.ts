import { createServer } from 'node:http';
import { AddressInfo, connect } from 'node:net';
import { once } from 'node:events';
import { Get, Query as FromQuery } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host';
import { Transform, Type } from 'class-transformer';
import { Client, Pool, Query } from 'pg';
import { DataSource } from 'typeorm';
import { transformationsOf, typeOf } from './class-transformer';
import { takesQuery } from './nest';
import { isResponding } from './node';
import { driverOf, trackConnection } from './typeorm';

/** Whether an object has a member, by its name, so that a failure names what has moved. */
const has = (object: object, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, name in object]));

const all = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, true]));

/** A query whose columns the server has described. */
function described(): Query {
  const query = new Query('SELECT 1');
  query.handleRowDescription({ fields: [] });
  return query;
}

/** The members that are no part of a library's documented interface. */
describe('a private member', () => {
  it.each([
    ['a connection of pg', new Client(), ['processID', 'getStartupConf']],
    ['a pool of pg', new Pool(), ['Client', 'options']],
    [
      'a query of pg',
      described(),
      ['_result', '_accumulateRows', 'name', 'hasBeenParsed', 'prepare', 'handleRowDescription'],
    ],
    [
      'a result of pg',
      new Query('SELECT 1')._result,
      ['fields', '_parsers', '_prebuiltEmptyResultObject'],
    ],
    [
      "TypeORM's driver",
      driverOf(new DataSource({ type: 'postgres' })),
      ['obtainMasterConnection', 'connectedQueryRunners'],
    ],
  ] as [string, object, string[]][])('of %s is there', (_, object, names) => {
    expect(has(object, names)).toEqual(all(names));
  });

  it('of TypeORM is the pool, and a connection in use ends once', async () => {
    const driver = driverOf(new DataSource({ type: 'postgres' }));
    let released = 0;
    const use = trackConnection(driver, () => (released += 1));
    expect(driver.connectedQueryRunners).toEqual([use]);
    await use.release();
    await use.release();
    expect([released, driver.connectedQueryRunners]).toEqual([1, []]);
  });

  it('of Nest says whether a handler takes a query', () => {
    class Controller {
      @Get()
      with(@FromQuery() query: unknown): unknown {
        return query;
      }

      @Get()
      without(): string {
        return '';
      }
    }
    const found = Object.getOwnPropertyNames(Controller.prototype)
      .filter((name) => name !== 'constructor')
      .map((name) => [name, Reflect.get(Controller.prototype, name) as () => unknown] as const)
      .map(([name, handler]) => [
        name,
        takesQuery(new ExecutionContextHost([], Controller, handler)),
      ]);
    expect(found).toEqual([
      ['with', true],
      ['without', false],
    ]);
  });

  it('of class-transformer gives the type and the transformations of a property', () => {
    class Part {}
    class Whole {
      @Type(() => Part)
      @Transform(({ value }: { value: number }) => value + 1)
      part!: unknown;
    }
    expect(typeOf(Whole, 'part')).toBe(Part);
    expect(transformationsOf(Whole, 'part').map((change) => change(1, {}))).toEqual([2]);
  });

  it('of Node says whether a response has begun', async () => {
    const seen: boolean[] = [];
    const server = createServer((request, response) => {
      seen.push(isResponding(request.socket));
      response.flushHeaders();
      seen.push(isResponding(request.socket));
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    client.resume();
    await once(client, 'close');
    server.close();
    expect(seen).toEqual([false, true]);
  });
});
