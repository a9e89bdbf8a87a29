//! The names outside of this repository: packages of a release, the action, the documentation's site.
//!
//! Before the first release, these names are free, or a stranger has them. So the program prints none of
//! them, and no other file decides which.

use url::Url;

/// Whether there is a release; `build.rs` has the rule.
pub(crate) const IS_PUBLISHED: bool = cfg!(published);

/// The documentation's site.
pub(crate) fn documentation() -> Option<Url> {
    IS_PUBLISHED.then(|| Url::parse(env!("CARGO_PKG_HOMEPAGE")).expect("Cargo.toml has a URL"))
}

/// The name of the program in HTTP requests.
#[cfg(feature = "submit")]
pub(crate) fn user_agent() -> String {
    let page = if IS_PUBLISHED {
        concat!(" (+", env!("CARGO_PKG_REPOSITORY"), ")")
    } else {
        ""
    };
    concat!("waypost/", env!("CARGO_PKG_VERSION")).to_owned() + page
}

/// Where a pipeline gets the program.
#[derive(Clone, Copy)]
pub(crate) enum ProgramSource<'a> {
    /// The packages of a release.
    Release,
    /// `OWNER/NAME@COMMIT` on GitHub.
    GitHub(&'a str),
    /// A checkout, whose path the user fills in.
    Checkout,
}

impl ProgramSource<'static> {
    /// The source of this program.
    pub(crate) fn from_build() -> Self {
        match env!("BUILD_SOURCE") {
            _ if IS_PUBLISHED => Self::Release,
            "" => Self::Checkout,
            source => Self::GitHub(source),
        }
    }
}

impl ProgramSource<'_> {
    /// The command that installs the program.
    pub(crate) fn install(self) -> String {
        match self {
            Self::Release => concat!("pip install waypost==", env!("CARGO_PKG_VERSION")).to_owned(),
            Self::GitHub(source) => {
                let (repository, commit) = source.split_once('@').expect("build.rs sets both");
                let url = format!("https://github.com/{repository}");
                format!("cargo install --locked --git {url} --rev {commit} waypost")
            }
            Self::Checkout => "cargo install --locked --path path/to/waypost".to_owned(),
        }
    }

    /// The command that runs the program, and installs it first if that is another one.
    pub(crate) fn run(self) -> String {
        match self {
            Self::Release => concat!("npx --yes waypost@", env!("CARGO_PKG_VERSION")).to_owned(),
            Self::GitHub(_) | Self::Checkout => format!("{} && waypost", self.install()),
        }
    }

    /// The requirements of the commands and how a build gets Rust, as lines of comments.
    pub(crate) fn needs(self, how: Option<&str>) -> String {
        let checkout = match self {
            Self::Release => return String::new(),
            Self::GitHub(_) => "",
            Self::Checkout => {
                "# replace `path/to/waypost` by a checkout of waypost, such as a submodule: there is no \
                 release yet;\n"
            }
        };
        let rust = env!("CARGO_PKG_RUST_VERSION");
        let how = how.map_or(String::new(), |how| format!("# {how}\n"));
        format!("{checkout}# cargo needs Rust {rust} or newer and a C compiler\n{how}")
    }
}
