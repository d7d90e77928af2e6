/** Returns the network of an IPv4, IPv4-mapped or IPv6 address. */
export function networkOf(address: string, bits: { readonly v4: 24 | 32; readonly v6: 48 | 64 }): string | undefined {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+)(\.\d+)$/i.exec(address)
  if (v4) return bits.v4 === 32 ? `${v4[1]}${v4[2]}` : `${v4[1]}.0/24`
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  const behind = tail?.split(':').filter(Boolean) ?? []
  if (tail !== undefined) while (groups.length + behind.length < 8) groups.push('0')
  groups.push(...behind)
  return groups.length === 8 ? `${groups.slice(0, bits.v6 / 16).join(':')}::/${bits.v6}` : undefined
}
