/**
 * Hours east of UTC, as in PHP's `timezone_abbreviations_list()`. Where zones share a name PHP
 * takes the first of its list: CST is Chicago's, IST Jerusalem's. Single letters are the military
 * zones.
 *
 * Left out are old offsets that are no multiple of half an hour, mostly local mean times.
 */
const NAMES_BY_HOURS: ReadonlyArray<{ hours: number; names: string }> = [
  { hours: -12, names: 'y' },
  { hours: -11, names: 'sst x' },
  { hours: -10, names: 'ahst bdt hst w' },
  { hours: -9.5, names: 'hdt hpt hwt' },
  { hours: -9, names: 'ahdt akst yst v' },
  { hours: -8, names: 'akdt pst ydt ypt ywt u' },
  { hours: -7, names: 'mst pdt ppt pwt yddt t' },
  { hours: -6, names: 'cst mdt mpt mwt pddt s' },
  { hours: -5, names: 'cdt cpt cwt est mddt r' },
  { hours: -4, names: 'ast cddt edt ept ewt q' },
  { hours: -3.5, names: 'nst' },
  { hours: -3, names: 'adt apt awt eddt p' },
  { hours: -2.5, names: 'ndt npt nwt' },
  { hours: -2, names: 'addt o' },
  { hours: -1.5, names: 'nddt' },
  { hours: -1, names: 'n' },
  { hours: 0, names: 'gmt uct utc wet z' },
  { hours: 1, names: 'bst cet met wat west a' },
  { hours: 2, names: 'bdst cat cest eet ist mest sast wast wemt b' },
  { hours: 3, names: 'cemt eat eest idt msk c' },
  { hours: 4, names: 'iddt msd d' },
  { hours: 5, names: 'pkt e' },
  { hours: 6, names: 'pkst f' },
  { hours: 7, names: 'wib g' },
  { hours: 8, names: 'awst hkt wita h' },
  { hours: 8.5, names: 'kst' },
  { hours: 9, names: 'awdt hkst jst wit i' },
  { hours: 9.5, names: 'acst cast' },
  { hours: 10, names: 'aest chst gst jdt kdt k' },
  { hours: 10.5, names: 'acdt' },
  { hours: 11, names: 'aedt gdt l' },
  { hours: 11.5, names: 'nzmt' },
  { hours: 12, names: 'nzst m' },
  { hours: 13, names: 'nzdt' },
]

export const zoneAbbreviations: ReadonlyMap<string, number> = new Map(
  NAMES_BY_HOURS.flatMap(({ hours, names }) => names.split(' ').map((name) => [name, hours])),
)
