//! Decides which addresses of the network a run may connect to.
//!
//! A sitemap is not trusted: a URL in it may name a machine of the user's own network, directly or
//! through its DNS records.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

/// The addresses that requests may go to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum NetworkReach {
    /// Any address: the user names every host.
    #[default]
    Any,
    /// Public addresses, and those of this host if the user typed an address or `localhost`.
    Public {
        /// The host as `Url::host_str` formats it; `None` if it is a name that DNS resolves.
        typed: Option<String>,
    },
}

impl NetworkReach {
    /// Public addresses, and the host of a URL that the user typed if it is an address or `localhost`.
    pub fn public_and(typed: &Url) -> Self {
        let is_literal = match typed.host() {
            Some(Host::Ipv4(_) | Host::Ipv6(_)) => true,
            Some(Host::Domain(name)) => name == "localhost",
            None => false,
        };
        let host = typed.host_str().filter(|_| is_literal);
        Self::Public {
            typed: host.map(str::to_owned),
        }
    }

    /// Whether a request for this host may connect to this address.
    pub fn allows(&self, host: &str, address: IpAddr) -> bool {
        match self {
            Self::Any => true,
            Self::Public { typed } => {
                typed
                    .as_deref()
                    .is_some_and(|typed| typed.eq_ignore_ascii_case(host))
                    || is_public(address)
            }
        }
    }

    /// Whether a URL with an address as its host may be requested through a proxy, which resolves
    /// names itself.
    pub fn allows_literal(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default();
        match url.host() {
            Some(Host::Ipv4(address)) => self.allows(host, address.into()),
            Some(Host::Ipv6(address)) => self.allows(host, address.into()),
            Some(Host::Domain(_)) | None => true,
        }
    }
}

/// Whether an address is reachable from the whole internet (IANA's registries of special-purpose
/// addresses for IPv4 and IPv6).
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => match embedded_v4(address) {
            Some(inner) => is_public_v4(inner),
            None => is_public_v6(address),
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    let is_special = match first {
        0 | 10 | 127 | 224.. => true,
        100 => (64..128).contains(&second), // shared address space, RFC 6598
        169 => second == 254,               // link-local
        172 => (16..32).contains(&second),
        192 => second == 168 || (second == 0 && matches!(third, 0 | 2)),
        198 => matches!(second, 18 | 19) || (second == 51 && third == 100),
        203 => second == 0 && third == 113,
        _ => false,
    };
    !is_special
}

/// Only 2000::/3 is global unicast; documentation (2001:db8::/32) is excluded.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    first & 0xe000 == 0x2000 && !(first == 0x2001 && second == 0x0db8)
}

/// The IPv4 address within a mapped (`::ffff:0:0/96`), NAT64 (`64:ff9b::/96`) or 6to4 (`2002::/16`)
/// address.
fn embedded_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let from = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Ipv4Addr::new(a, b, c, d)
    };
    match address.segments() {
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            Some(from(high, low))
        }
        [0x2002, high, low, ..] => Some(from(high, low)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("a valid URL")
    }

    #[test]
    fn only_public_addresses_are_public() {
        let check = |expected: bool, addresses: &[&str]| {
            for text in addresses {
                let address = text.parse().expect("an address");
                assert_eq!(is_public(address), expected, "{text}");
            }
        };
        check(
            false,
            &[
                "127.0.0.1",
                "127.9.9.9",
                "0.0.0.0",
                "10.1.2.3",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.1.1",
                "169.254.169.254",
                "100.64.0.1",
                "192.0.0.1",
                "198.18.0.1",
                "224.0.0.1",
                "255.255.255.255",
                "::1",
                "::",
                "fe80::1",
                "fc00::1",
                "fd12::1",
                "ff02::1",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "64:ff9b::a00:1",
                "2002:7f00:1::",
                "2001:db8::1",
                "::7f00:1",
            ],
        );
        check(
            true,
            &[
                "8.8.8.8",
                "172.15.0.1",
                "172.32.0.1",
                "100.63.0.1",
                "100.128.0.1",
                "192.0.1.1",
                "2606:4700::1111",
                "::ffff:8.8.8.8",
                "2002:808:808::",
            ],
        );
    }

    #[test]
    fn an_address_is_allowed_only_for_the_host_that_the_user_typed() {
        let loopback: IpAddr = Ipv4Addr::LOCALHOST.into();
        let check = |typed: &str, host: &str, expected: bool| {
            let reach = NetworkReach::public_and(&url(typed));
            assert_eq!(reach.allows(host, loopback), expected, "{typed} {host}");
        };
        check("http://127.0.0.1:8000/", "127.0.0.1", true);
        check("http://localhost/", "localhost", true);
        check("http://127.0.0.1/", "localhost", false);
        check("http://127.0.0.1/", "127.0.0.2", false);
        check("https://example.com/", "example.com", false);
        assert!(NetworkReach::Any.allows("example.com", loopback));
        let reach = NetworkReach::public_and(&url("https://example.com/"));
        assert!(!reach.allows_literal(&url("http://[::1]/")));
        assert!(!reach.allows_literal(&url("http://0x7f.1/")));
        assert!(reach.allows_literal(&url("http://example.com/")));
    }
}
