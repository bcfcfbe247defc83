import { describe, expect, it } from 'vitest';
import { toUsd } from '#domain/core/units';
import { BadUsage, type Config, readCommand, usage } from '../../../server/config/config';

const read = (args: string[] = [], environment = {}): Config => {
  const command = readCommand(args, environment);
  if (command.name === 'help') throw new Error('only help');
  return command.config;
};

describe('roles', () => {
  const bus = ['--bus', 'nats://127.0.0.1:4222'];

  it('are all in one process by default', () => {
    expect(read()).toMatchObject({ role: 'all', bus: '', standby: false });
    expect(read(['--role', 'gateway', ...bus])).toMatchObject({ role: 'gateway' });
    expect(read(['--role', 'engine', ...bus, '--shard', '2/3'])).toMatchObject({
      shard: { index: 2, count: 3 },
    });
  });

  it.each([
    [['--role', 'engine'], 'need --bus'],
    [bus, 'need --bus'],
    [['--role', 'feed', ...bus, '--shard', '1/2'], '--shard needs --role engine'],
    [['--role', 'engine', ...bus, '--shard', '3/2'], 'expects I/N'],
    [['--role', 'engine', ...bus, '--shard', '1/33'], 'expects I/N'],
    [['--role', 'engine', ...bus, '--shard', '1/2', '--new-accounts', '3'], 'engines 1 to 2'],
    [['--role', 'engine', ...bus, '--shard', '2/2', '--new-accounts', '2'], 'is for engine 1'],
    [['--role', 'engine', ...bus, '--replay', 'sample'], 'a replay stays in one process'],
    [['--role', 'engine', ...bus, '--standby'], 'needs --database-url'],
    [['--role', 'engine', '--bus', 'localhost:4222'], 'expects nats://host:port'],
  ])('%j is refused', (args, reason) => {
    expect(() => read(args)).toThrow(BadUsage);
    expect(() => read(args)).toThrow(reason);
  });
});

describe('the settings', () => {
  it('have defaults', () => {
    expect(read()).toMatchObject({
      port: 3000,
      data: './data',
      databaseUrl: '',
      instruments: 40,
      replay: '',
      speed: 1,
      replayWait: false,
      origins: [],
      trustProxy: [],
      serviceLinkType: 1,
    });
  });

  it('come from flags, then the environment', () => {
    const environment = {
      FULCRUM_PORT: '4000',
      FULCRUM_TICKS_PER_SECOND: '2.5',
      FULCRUM_REPLAY_WAIT: 'true',
      FULCRUM_REPLAY: 'day.csv',
      FULCRUM_SPEED: 'max',
      FULCRUM_SEED: '',
      DATABASE_URL: 'postgresql://localhost/x',
    };
    expect(read(['--port', '5000', '--instruments=7'], environment)).toMatchObject({
      port: 5000,
      instruments: 7,
      ticksPerSecond: 2.5,
      replayWait: true,
      replay: 'day.csv',
      speed: 'max',
      seed: '',
      databaseUrl: 'postgresql://localhost/x',
    });
  });

  it.each([
    [[], '127.0.0.1'],
    [['--host'], '::'],
    [['--host', '--port', '0'], '::'],
    [['--host', '192.0.2.7'], '192.0.2.7'],
    [['--host=192.0.2.7'], '192.0.2.7'],
  ])('%j listens on %s', (args, host) => {
    expect(read(args)).toMatchObject({ host });
  });

  it('listen where the environment says', () => {
    expect(read([], { FULCRUM_HOST: '0.0.0.0' }).host).toBe('0.0.0.0');
    expect(read(['--host'], { FULCRUM_HOST: '192.0.2.7' }).host).toBe('::');
  });

  it('hold origins as browsers write them', () => {
    expect(read(['--origins', 'https://m.example.com/, HTTP://LOCALHOST:5173']).origins).toEqual([
      'https://m.example.com',
      'http://localhost:5173',
    ]);
  });

  it('read limits in USD by code', () => {
    const limits = (text: string) => read(['--exposure-limit', text]).exposureLimit;
    expect(limits('')).toEqual(new Map());
    expect(limits('BTC/USD=2000000.50, *=0')).toEqual(
      new Map([
        ['BTC/USD', toUsd('2000000.50')],
        ['*', toUsd('0')],
      ]),
    );
    for (const wrong of [
      'EURUSD',
      'EURUSD=-1',
      'EURUSD=1e6',
      '=5',
      'EURUSD=1,EURUSD=2',
      'EUR USD=1',
    ]) {
      expect(() => limits(wrong), wrong).toThrow('expects limits in USD');
    }
  });

  it('read lists, ignoring blanks and empty items', () => {
    const { trustProxy, variant } = read([
      ...['--trust-proxy', 'loopback, 10.0.0.0/8,,::1,fd00::/8'],
      ...['--variant', ' desktop-host ,main-site'],
    ]);
    expect(trustProxy).toEqual(['loopback', '10.0.0.0/8', '::1', 'fd00::/8']);
    expect(variant).toEqual(['desktop-host', 'main-site']);
  });

  it('accept any speed of a replay', () => {
    expect(read(['--replay', 'f', '--speed', '60']).speed).toBe(60);
    expect(read(['--replay', 'f', '--speed', '0.5', '--replay-wait']).replayWait).toBe(true);
  });
});

it('start the server unless another command is given', () => {
  expect(readCommand([], {}).name).toBe('serve');
  expect(readCommand(['audit', '--data', 'x'], {})).toMatchObject({
    name: 'audit',
    config: { data: 'x' },
  });
});

describe('invalid settings', () => {
  it.each([
    [['--nonsense']],
    [['extra']],
    [['audit', 'extra']],
    [['--port']],
    [['--host', '']],
    [['--port', 'x']],
    [['--port', '70000']],
    [['--port', '-1']],
    [['--port', '3000.5']],
    [['--instruments', '0']],
    [['--instruments', '1e3']],
    [['--ticks-per-second', '0']],
    [['--replay', 'f', '--speed', 'fast']],
    [['--replay', 'f', '--speed', '0']],
    [['--speed', '60']],
    [['--replay-wait']],
    [['--replay-wait=yes']],
    [['--origins', 'example.com']],
    [['--origins', 'ftp://example.com']],
    [['--fallback-host', 'https://api.example.com']],
    [['--variant', 'main-site,tv']],
    [['--title', ' ']],
    [['--service-link', 'javascript:alert(1)']],
    [['--service-link-type', '3']],
    [['--status', '1']],
    [['--database-url', 'mysql://x']],
    [['--trust-proxy', 'everyone']],
    [['--trust-proxy', '10.0.0.0/x']],
    [['--trust-proxy', '10.0.0.0/33']],
    [['--complaint-email', 'nobody']],
    [['--complaint-url', 'http://example.com']],
    [['--show-mobile', '2']],
    [['--speed', '0.0001', '--replay', 'f']],
  ])('%j is refused', (args) => {
    expect(() => read(args)).toThrow(BadUsage);
  });

  it('are reported with the expected value', () => {
    expect(() => read(['--port', 'x'])).toThrow(
      '--port N: expects a whole number from 0 to 65535, not "x"',
    );
    expect(() => read([], { FULCRUM_PORT: 'y' })).toThrow('FULCRUM_PORT N: expects');
    expect(() => read(['--loss-url', 'x'])).toThrow(
      '--loss-url URL: expects an https address, not "x"',
    );
    expect(() => read(['--variant', 'main-site,tv'])).toThrow(
      '--variant LIST: expects main-site, desktop-host, not "main-site,tv"',
    );
  });

  it('are all reported, in the order of --help', () => {
    const environment = { FULCRUM_SERVICE_LINK_TYPE: '3', FULCRUM_REPLAY_WAIT: 'yes' };
    expect(() => read(['--origins', 'ftp://x.example', '--port', 'x'], environment)).toThrow(
      [
        '--port N: expects a whole number from 0 to 65535, not "x"',
        'FULCRUM_REPLAY_WAIT: expects true or false, not "yes"',
        '--origins LIST: expects origins such as https://m.example.com, not "ftp://x.example"',
        'FULCRUM_SERVICE_LINK_TYPE T: expects one of 0, 1, 2, not "3"',
      ].join('\n'),
    );
  });
});

describe('secrets', () => {
  it.each([
    'mail.example.com',
    'https://mail.example.com',
    'smtps://',
    'smtps:mail.example.com',
    'smtps://user:1/two@mail.example.com',
    'smtps://user:1#two@mail.example.com',
    'smtps://user:pass/word@mail.example.com',
  ])('SMTP_URL is not %j', (url) => {
    expect(() => read([], { SMTP_URL: url })).toThrow(
      /^SMTP_URL: expects smtps:\/\/user:password@host, with signs such as # \/ @ in the password as %23 %2F %40$/,
    );
  });

  it.each([
    '',
    'smtp://127.0.0.1:1025',
    'smtps://user:p%23ss@mail.example.com/',
    'smtps://user@example.com:p@ss@mail.example.com?pool=false',
  ])('SMTP_URL may be %j', (smtpUrl) => {
    expect(read([], { SMTP_URL: smtpUrl })).toMatchObject({ smtpUrl });
  });

  it('may be short, which a warning says with the way to a long one', () => {
    const warning = expect.stringContaining('openssl rand -base64 32');
    for (const [FULCRUM_SECRET, warnings] of [
      ['x', [warning]],
      ['of sixteen signs', []],
      ['', []],
    ] as const) {
      expect(readCommand([], { FULCRUM_SECRET })).toMatchObject({ warnings });
    }
  });

  it('are no flags, which every user of the machine sees', () => {
    for (const flag of ['--secret', '--smtp-url', '--sms-webhook-token']) {
      expect(() => read([flag, 'smtps://user:password@mail.example.com'])).toThrow(BadUsage);
      expect(usage()).not.toContain(flag);
    }
    expect(usage()).toMatch(/^ {2}SMTP_URL +smtps:/m);
  });
});

it('a variable that is no setting is warned of, with the nearest one', () => {
  const environment = {
    FULCRUM_SECRE: 'x',
    FULCRUM_COMPLAINTS_EMAIL: 'x',
    FULCRUM_PORT: '0',
    HOME: '/',
  };
  expect(readCommand([], environment)).toMatchObject({
    warnings: [
      'WARNING: FULCRUM_SECRE is no setting of the server. The nearest one is FULCRUM_SECRET.',
      'WARNING: FULCRUM_COMPLAINTS_EMAIL is no setting of the server. The nearest one is FULCRUM_COMPLAINT_EMAIL.',
    ],
  });
});

it('--help shows every flag', () => {
  expect(readCommand(['--help'], {})).toEqual({ name: 'help' });
  expect(readCommand(['-h'], {})).toEqual({ name: 'help' });
  for (const name of [
    'port N',
    'data DIR',
    'instruments N',
    'ticks-per-second R',
    'seed S',
    'replay FILE',
    'speed X',
    'replay-wait',
  ]) {
    expect(usage()).toContain(`--${name}`);
  }
});

it('requires a file for backup and restore, which are for the embedded database', () => {
  for (const name of ['backup', 'restore'] as const) {
    expect(readCommand([name, 'a.tar.gz', '--data', 'x'], {})).toMatchObject({
      name,
      file: 'a.tar.gz',
      config: { data: 'x' },
    });
    expect(() => readCommand([name], {})).toThrow(`${name} needs the name of a FILE`);
    expect(() => readCommand([name, 'a', 'b'], {})).toThrow('there is no command');
    const environment = { DATABASE_URL: 'postgresql://localhost/x' };
    expect(() => readCommand([name, 'a'], environment)).toThrow('PostgreSQL has pg_dump');
  }
});

describe('a live market', () => {
  it('has exchanges in order of preference, and codes', () => {
    const args = [
      '--live',
      'kraken,binance',
      '--codes',
      'btc/usd,ETH/USDT,币安人生/USDT',
      '--live-ws',
      'ws://x:1',
    ];
    expect(read(args)).toMatchObject({
      live: ['kraken', 'binance'],
      codes: ['btc/usd', 'ETH/USDT', '币安人生/USDT'],
      liveWs: 'ws://x:1',
      quoteAge: 60,
    });
  });

  it.each([
    [['--live', 'mtgox'], '--live LIST: expects kraken, binance'],
    [['--live', 'kraken', '--replay', 'x.csv'], '--live and --replay exclude each other'],
    [['--codes', 'BTC/USD'], '--codes needs --live EXCHANGE'],
    [['--price-jump', '5'], '--price-jump needs --replay FILE or --live EXCHANGE'],
    [['--price-floor', '0', '--live', 'kraken'], 'expects a number from 0.001 to 100'],
    [['--live', 'kraken', '--codes', 'BTC'], 'expects codes such as BTC/USD'],
    [['--live', 'kraken', '--codes', 'BTC /USD'], 'expects codes such as BTC/USD'],
    [['--live', 'kraken', '--live-ws', 'http://x'], 'expects a ws or wss address'],
  ])('is refused: %j', (args, message) => {
    expect(() => read(args)).toThrow(message);
  });
});
