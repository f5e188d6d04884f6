/** Tells whether a request comes from this machine itself, for the console of the demo. */
import ipaddr from 'ipaddr.js';
import { type Exchange, headerOf } from '../../http/exchange.ts';

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * Whether a client on this machine asks for this machine. The name must be one that only this machine has, because a page of another
 * site can give its own name this machine's address (DNS rebinding). A proxy asks for others.
 */
export function isOnThisMachine(exchange: Exchange): boolean {
  if (FORWARDED.some((name) => headerOf(exchange, name) !== undefined)) return false;
  const host = (headerOf(exchange, 'host') ?? '').toLowerCase().replace(/:\d+$/, '');
  const name = host.replace(/^\[(.*)\]$/, '$1');
  return isLoopback(exchange.incoming.socket.remoteAddress ?? '') && (name === 'localhost' || isLoopback(name));
}

const isLoopback = (address: string) => ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
